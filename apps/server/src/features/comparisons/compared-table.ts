import type { SideComparison } from '@cellfolio/analysis';
import { leadingCount } from '../../runtime/leading-genes.ts';

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
  /** What its file says of each gene, by its row in var: a column for each heading that has numbers. */
  readonly columns: readonly Float64Array[];
  /** Rows in the order of the file, by rising p-value; those without one are last. */
  readonly order: Int32Array;
  /** Genes that pass both thresholds. */
  readonly higher: number;
  readonly lower: number;
  /** Genes whose p-value is too small for a number. */
  readonly zeroPs: number;
  /** Symbols of the first genes that pass the threshold of the adjusted p, the surest first. */
  readonly leading: readonly string[];
}

/** What is kept of a table for as long as its comparison is, however many parts that has. */
export interface TableSummary extends Pick<
  ComparedTable,
  'higher' | 'lower' | 'zeroPs' | 'leading' | 'warnings'
> {
  /** Genes with an adjusted p-value. */
  readonly tested: number;
}

export function summaryOf({
  higher,
  lower,
  zeroPs,
  leading,
  warnings,
  pvals_adj,
}: ComparedTable): TableSummary {
  const tested = pvals_adj.reduce((count, p) => count + (Number.isNaN(p) ? 0 : 1), 0);
  return { higher, lower, zeroPs, leading, warnings, tested };
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

/** One list of rows after the other. */
export function joinedRows(...lists: readonly Iterable<number>[]): Int32Array {
  return Int32Array.from(lists.flatMap((rows) => Array.from(rows)));
}

/**
 * How many genes pass the thresholds in either direction, and have p-values of 0, and which lead.
 * @param order rows of the genes with a p-value, the surest first
 */
export function counted(
  order: Int32Array,
  { logfoldchanges, pvals, pvals_adj }: Pick<SideComparison, 'logfoldchanges' | 'pvals' | 'pvals_adj'>,
  { thresholds: { adjustedP, foldChange }, symbols }: { thresholds: Thresholds; symbols: readonly string[] },
): Pick<ComparedTable, 'higher' | 'lower' | 'zeroPs' | 'leading'> {
  let [higher, lower, zeroPs] = [0, 0, 0];
  const leading: string[] = [];
  for (const row of order) {
    if (pvals[row] === 0) zeroPs++;
    if (!(pvals_adj[row]! < adjustedP)) continue;
    // Those that are read first, whatever their fold change.
    if (leading.length < leadingCount) leading.push(symbols[row] ?? String(row));
    const change = logfoldchanges[row]!;
    if (change > 0 && change >= foldChange) higher++;
    if (change < 0 && -change >= foldChange) lower++;
  }
  return { higher, lower, zeroPs, leading };
}
