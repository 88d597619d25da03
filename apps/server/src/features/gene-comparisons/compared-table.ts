import type { SideComparison } from '@cellfolio/analysis';
import { leadingCount } from '@cellfolio/analyses/cautions';

export interface Thresholds {
  adjustedP: number;
  foldChange: number;
}

export interface ComparedTable extends Pick<
  SideComparison,
  'scores' | 'logfoldchanges' | 'pvals' | 'pvals_adj' | 'warnings'
> {
  /** Mean expression over both sides: of the means of A and B with equal weight, or of all samples. */
  means: Float64Array;
  /** Numeric columns of the file, indexed by row in var. */
  columns: readonly Float64Array[];
  /** Rows in the order of the file, by ascending p-value; those without one are last. */
  order: Int32Array;
  higher: number;
  lower: number;
  /** Genes that pass the threshold of the adjusted p, whatever their fold change. */
  rising: number;
  falling: number;
  /** Genes whose p-value underflows to 0. */
  zeroPs: number;
  /** Genes that pass the threshold of the adjusted p, but would not by an exact test of sparse genes; absent for sums. */
  sparse?: number;
  /** Symbols of the first genes that pass the threshold of the adjusted p, most significant first. */
  leading: readonly string[];
}

/** Summary of a table, stored as long as its comparison, however many parts that has. */
export interface TableSummary extends Pick<
  ComparedTable,
  'higher' | 'lower' | 'rising' | 'falling' | 'zeroPs' | 'sparse' | 'leading' | 'warnings'
> {
  /** Genes with an adjusted p-value. */
  tested: number;
}

export function summaryOf({
  higher,
  lower,
  rising,
  falling,
  zeroPs,
  sparse,
  leading,
  warnings,
  pvals_adj,
}: ComparedTable): TableSummary {
  const tested = pvals_adj.reduce((count, p) => count + (Number.isNaN(p) ? 0 : 1), 0);
  return { higher, lower, rising, falling, zeroPs, sparse, leading, warnings, tested };
}

/** Reason why a gene was not tested; a column in tables of ends. */
export const untestedColumn = 'not_tested';
export const untestedReasons = { chose: 'chose the cells', fewCounts: 'too few counts' } as const;

/** Rows by ascending p-value, then by descending absolute score. */
export function surestFirst(
  rows: Iterable<number>,
  { pvals, scores }: Pick<SideComparison, 'pvals' | 'scores'>,
): Int32Array {
  return Int32Array.from(rows).sort(
    (one, other) =>
      pvals[one]! - pvals[other]! || Math.abs(scores[other]!) - Math.abs(scores[one]!) || one - other,
  );
}

export function joinedRows(...lists: readonly Iterable<number>[]): Int32Array {
  return Int32Array.from(lists.flatMap((rows) => Array.from(rows)));
}

/**
 * Counts the genes that pass the thresholds in either direction and those with p-values of 0, and lists the top ones.
 * `order` holds the rows of genes with a p-value, most significant first.
 */
export function counted(
  order: Int32Array,
  { logfoldchanges, pvals, pvals_adj }: Pick<SideComparison, 'logfoldchanges' | 'pvals' | 'pvals_adj'>,
  { thresholds: { adjustedP, foldChange }, symbols }: { thresholds: Thresholds; symbols: readonly string[] },
): Pick<ComparedTable, 'higher' | 'lower' | 'rising' | 'falling' | 'zeroPs' | 'leading'> {
  let [higher, lower, rising, falling, zeroPs] = [0, 0, 0, 0, 0];
  const leading: string[] = [];
  for (const row of order) {
    if (pvals[row] === 0) zeroPs++;
    if (!(pvals_adj[row]! < adjustedP)) continue;
    // Genes that are read first, whatever their fold change.
    if (leading.length < leadingCount) leading.push(symbols[row] ?? String(row));
    const change = logfoldchanges[row]!;
    if (change > 0) rising++;
    if (change < 0) falling++;
    if (change > 0 && change >= foldChange) higher++;
    if (change < 0 && -change >= foldChange) lower++;
  }
  return { higher, lower, rising, falling, zeroPs, leading };
}
