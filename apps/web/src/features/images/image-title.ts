import { clustersTitle } from '@cellfolio/plots/content';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import type { LibraryImage } from './library-image.ts';

/** What an image is called on the page: one of chosen categories by what its user calls these. */
export function useImageTitle({ title, source }: Pick<LibraryImage, 'title' | 'source'>): string {
  const { cellType, cluster } = useCategoryNames(source?.dataset_filename);
  const content = source?.content;
  if (content?.kind !== 'highlight-umap') return title;
  if (content.of === 'cell-type') return cellType(content.cell_type);
  return clustersTitle(content.leiden_clusters.map(cluster));
}
