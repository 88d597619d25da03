import { median } from '../statistics/quantile.ts';
import { type GeneSampleMatrix, librarySizes } from './gene-sample-matrix.ts';

/** Requirements for testing a gene; values given are edgeR's defaults. */
export interface ExpressionFilter {
  /**
   * 10: minimum count in a library of median size, converted to counts per million, which as many samples must reach as
   * the smallest group has.
   */
  readonly minCount: number;
  /** 15: minimum total count over all samples. */
  readonly minTotalCount: number;
  /** 10: if the smallest group is larger than this, … */
  readonly largeSize: number;
  /** 0.7: … only this share of its further samples is required. */
  readonly minShare: number;
}

export const defaultExpressionFilter: ExpressionFilter = {
  minCount: 10,
  minTotalCount: 15,
  largeSize: 10,
  minShare: 0.7,
};

/**
 * Rows of the genes with enough counts for a test, ascending: edgeR's `filterByExpr` (Chen, Lun and Smyth 2016).
 * `smallestGroup`: size of the smallest group, from `smallestGroupOf` a design, or the smallest count of a label.
 */
export function filterByExpression(
  counts: GeneSampleMatrix,
  smallestGroup: number,
  filter: ExpressionFilter = defaultExpressionFilter,
): Int32Array {
  const { geneCount, sampleCount, values } = counts;
  const { largeSize, minShare, minCount, minTotalCount } = filter;
  const sizes = librarySizes(counts);
  const needed =
    smallestGroup > largeSize ? largeSize + (smallestGroup - largeSize) * minShare : smallestGroup;
  const cutoff = (minCount / median(sizes)) * 1e6;
  // So that rounding drops no gene.
  const slack = 1e-14;
  const keptGenes: number[] = [];
  for (let gene = 0, at = 0; gene < geneCount; gene++) {
    let total = 0;
    let expressing = 0;
    for (let sample = 0; sample < sampleCount; sample++) {
      const count = values[at++]!;
      total += count;
      if ((count / sizes[sample]!) * 1e6 >= cutoff) expressing++;
    }
    if (expressing >= needed - slack && total >= minTotalCount - slack) keptGenes.push(gene);
  }
  return Int32Array.from(keptGenes);
}
