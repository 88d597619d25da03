import type { ImageOrigin } from './image-origin.ts';
import type { LibraryImage } from './library-image.ts';

/** What an image is called by readers of the screen: its title, what is shown, of which cells, and elsewhere of what. */
export function imageName(
  image: Pick<LibraryImage, 'title' | 'subtitle' | 'subsetGroupName'>,
  { dataset, foreign }: Pick<ImageOrigin, 'dataset' | 'foreign'> = { dataset: '', foreign: false },
): string {
  const parts = [image.title, image.subtitle, subsetLabel(image), foreign ? dataset : ''];
  return parts.filter((part) => part !== '').join(', ');
}

/** Letters at the end of '<subtitle> · <subset>' that are shown on the narrowest card: most of the subset's name. */
export const subsetLetters = 9;

/** The subset of an image; empty where it is of all cells. */
export function subsetLabel({ subsetGroupName }: Pick<LibraryImage, 'subsetGroupName'>): string {
  return subsetGroupName === 'Global' ? '' : subsetGroupName;
}

/** The dataset of an image, without the ending of its file; an upload by the first part of its id. */
export function datasetLabel({ datasetName }: Pick<LibraryImage, 'datasetName'>): string {
  const upload = /^custom:([0-9a-f]{8})/.exec(datasetName)?.[1];
  if (upload !== undefined) return `Custom Dataset ${upload}`;
  return datasetName.replace(/\.(h5ad|zarr)$/i, '');
}
