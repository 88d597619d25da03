import type { DatasetAnalysis } from '@cellfolio/contract';
import type { GroupedBy } from '@cellfolio/plots/content';

/** Cell types, else clusters, which are never called cell types. */
export function groupedByOf({
  cell_types,
  leiden_clusters,
}: Pick<DatasetAnalysis, 'cell_types' | 'leiden_clusters'>): GroupedBy {
  if (cell_types.length > 0) return 'cell type';
  return leiden_clusters.length > 0 ? 'cluster' : 'none';
}
