import type { GroupRanking } from './rank-genes.ts';

export interface MarkerFilter {
  /** At most this many genes, the best first. */
  readonly nGenes: number;
  /** Only genes whose adjusted p-value is below this. */
  readonly maxAdjustedP: number;
  /** Only genes whose log fold change is above this. */
  readonly minLogFoldChange: number;
}

/**
 * Rows in var of a group's markers, the best first: those that pass `pval_cutoff` and `log2fc_min` as scanpy's
 * `get.rank_genes_groups_df` has them, both limits excluded, and of these the first by score.
 */
export function selectMarkers(ranking: GroupRanking, filter: MarkerFilter): Int32Array {
  const { order, pvals_adj: adjusted, logfoldchanges } = ranking;
  const { nGenes, maxAdjustedP, minLogFoldChange } = filter;
  const rows: number[] = [];
  for (let place = 0; place < order.length && rows.length < nGenes; place++) {
    const row = order[place]!;
    if (adjusted[row]! < maxAdjustedP && logfoldchanges[row]! > minLogFoldChange) rows.push(row);
  }
  return Int32Array.from(rows);
}
