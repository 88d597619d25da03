import type { SideComparison } from '@cellfolio/analysis';

export interface Thresholds {
  readonly adjustedP: number;
  readonly foldChange: number;
}

/** What a comparison says of all genes in one part. */
export interface ComparedTable extends Pick<
  SideComparison,
  'scores' | 'logfoldchanges' | 'pvals' | 'pvals_adj' | 'warnings'
> {
  /** Mean expression over both sides: of the means of A and of B, which count the same, or of all samples. */
  readonly means: Float64Array;
  /** Lines of CSV without a heading, by rising p-value. Long: they are made where nobody waits for the event loop. */
  readonly rows: string;
  /** Genes that pass both thresholds. */
  readonly higher: number;
  readonly lower: number;
  /** Genes whose p-value is too small for a number. */
  readonly zeroPs: number;
}

/** Why a gene was not tested, in a column that tables of ends have. */
export const untestedColumn = 'not_tested';
export const untestedReasons = { chose: 'chose the cells', fewCounts: 'too few counts' } as const;

/** Rows by rising p-value, then by falling score, whatever its sign. */
export function surestFirst(
  rows: Iterable<number>,
  { pvals, scores }: Pick<SideComparison, 'pvals' | 'scores'>,
): Int32Array {
  return Int32Array.from(rows).sort(
    (one, other) =>
      pvals[one]! - pvals[other]! || Math.abs(scores[other]!) - Math.abs(scores[one]!) || one - other,
  );
}

/** How many genes pass the thresholds in either direction, and have p-values of 0. */
export function counted(
  { logfoldchanges, pvals, pvals_adj }: Pick<SideComparison, 'logfoldchanges' | 'pvals' | 'pvals_adj'>,
  { adjustedP, foldChange }: Thresholds,
) {
  let [higher, lower, zeroPs] = [0, 0, 0];
  for (let row = 0; row < pvals_adj.length; row++) {
    if (pvals[row] === 0) zeroPs++;
    if (!(pvals_adj[row]! < adjustedP)) continue;
    const change = logfoldchanges[row]!;
    if (change > 0 && change >= foldChange) higher++;
    if (change < 0 && -change >= foldChange) lower++;
  }
  return { higher, lower, zeroPs };
}
