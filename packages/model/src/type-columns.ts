import type { ColumnRoles } from './dataset.ts';

/** Which columns of obs have the cell types and the clusters of a dataset. */
interface TypeRoles {
  roles: Pick<ColumnRoles, 'cellType' | 'cluster'>;
}

/** The column of obs that holds what the cells are: their types, otherwise clusters. */
export function typeColumn({ roles }: TypeRoles): string | undefined {
  return roles.cellType ?? roles.cluster;
}

/** Names that scanpy, Seurat and their users give to clusterings of expression. */
const clusterName = /leiden|louvain|cluster|phenograph|(^|_)(snn|rna)_res/i;

/** Whether the expression of the cells made the groups of a column: its clusters, or cell types, which come from such. */
export function isOfExpression(dataset: TypeRoles, column: string): boolean {
  return column === dataset.roles.cellType || isClustering(dataset, column);
}

/** Whether a column of obs is a clustering of the cells by their own expression, by its part or by its name. */
export function isClustering({ roles }: TypeRoles, column: string): boolean {
  return column === roles.cluster || clusterName.test(column);
}
