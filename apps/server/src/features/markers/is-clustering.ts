import type { DatasetManifest } from '@cellfolio/store';

/** Names that scanpy, Seurat and their users give to clusterings of expression. */
const clusterName = /leiden|louvain|cluster|phenograph|(^|_)(snn|rna)_res/i;

/** Whether a column of obs is a clustering of the cells by their own expression, by its part or by its name. */
export function isClustering({ roles }: Pick<DatasetManifest, 'roles'>, column: string): boolean {
  return column === roles.cluster || clusterName.test(column);
}
