import type { FigureFormat } from '@cellfolio/contract';
import { fileNamePart } from '@/lib/files.ts';
import { datasetLabel } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

const endings: Record<FigureFormat, string> = { png: '.png', 'png-300dpi': '_300dpi.png', svg: '.svg' };

/** '<name of the dataset>_<title>_UMAP.png', of characters that every file system takes. */
export function imageFileName(
  image: Pick<LibraryImage, 'datasetName' | 'title' | 'plotKind'>,
  format: FigureFormat = 'png',
  dataset = datasetLabel(image),
): string {
  const kind = image.plotKind === 'umap' ? 'UMAP' : 'Violin';
  return `${[dataset, image.title, kind].map(fileNamePart).join('_')}${endings[format]}`;
}
