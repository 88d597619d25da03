import type { GroupRanking } from './rank-genes.ts';

export interface MarkerFilter {
  /** At most this many genes, the best first. */
  readonly nGenes: number;
  /** Only genes whose adjusted p-value is below this. */
  readonly maxAdjustedP: number;
  /** Only genes whose log fold change is above this. */
  readonly minLogFoldChange: number;
}

/** Whether a gene passes both limits, which are excluded themselves. */
export function passes(ranking: GroupRanking, filter: MarkerFilter, row: number): boolean {
  return (
    ranking.pvals_adj[row]! < filter.maxAdjustedP && ranking.logfoldchanges[row]! > filter.minLogFoldChange
  );
}

/**
 * Rows in var of a group's markers: those that pass `pval_cutoff` and `log2fc_min` as scanpy's
 * `get.rank_genes_groups_df` has them, both limits excluded, and of these the first by falling score. Equal scores
 * are in the order of var, where scanpy's order is not defined.
 */
export function selectMarkers(ranking: GroupRanking, filter: MarkerFilter): Int32Array {
  const { scores } = ranking;
  const wanted = Math.max(0, Math.floor(filter.nGenes));
  let rows: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (passes(ranking, filter, row)) rows.push(row);
  }
  if (rows.length > wanted && wanted > 0) {
    // Numbers alone are sorted several times as fast as rows by their scores: only the rows wanted are.
    const rising = Float64Array.from(rows, (row) => scores[row]!).sort();
    const least = rising[rising.length - wanted]!;
    rows = rows.filter((row) => scores[row]! >= least);
  }
  // Two infinite scores differ by NaN, and so are as good as equal.
  rows.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return Int32Array.from(rows.slice(0, wanted));
}
