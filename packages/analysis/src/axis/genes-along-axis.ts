import type { GeneBlock } from '@cellfolio/model';
import { studentTwoSidedTail } from '../statistics/tails.ts';
import type { AxisOrder } from './axis-order.ts';
import { EntrySorter, maxEntries } from './entry-sorter.ts';

export interface GenesAlong {
  /** Row in var. */
  readonly firstGene: number;
  /** Spearman correlation with the axis; NaN if a gene does not vary or has a missing value. */
  readonly rho: Float64Array;
  readonly expressing: Int32Array;
  readonly means: Float64Array;
  /** Bin with the highest mean (the first of equals), and its difference from the lowest mean. */
  readonly peaks: Int16Array;
  readonly ranges: Float64Array;
}

/**
 * Spearman correlation of each gene with an axis, as `scipy.stats.spearmanr`, in one pass over the entries of a block:
 * cells without an entry share one rank, and since the axis ranks are centred, those cells need not be visited. Throws
 * RangeError for genes of other cells.
 */
export function genesAlongAxis(block: GeneBlock, order: AxisOrder): GenesAlong {
  const { ranks, bins, cellCount, sizes } = order;
  if (block.cellCount !== ranks.length || block.cellCount > maxEntries) {
    throw new RangeError(`${ranks.length} places do not fit genes of ${block.cellCount} cells`);
  }
  const geneCount = block.starts.length - 1;
  const results: GenesAlong = {
    firstGene: block.firstGene,
    rho: new Float64Array(geneCount),
    expressing: new Int32Array(geneCount),
    means: new Float64Array(geneCount),
    peaks: new Int16Array(geneCount),
    ranges: new Float64Array(geneCount),
  };
  const ofAxis = ranks.reduce((sum, rank) => (Number.isNaN(rank) ? sum : sum + rank * rank), 0);
  const sorter = new EntrySorter();
  const sums = new Float64Array(sizes.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const [start, end] = [block.starts[gene]!, block.starts[gene + 1]!];
    sums.fill(0);
    sorter.begin(end - start);
    for (let at = start; at < end; at++) {
      const cell = block.cells[at]!;
      const value = block.values[at]!;
      if (bins[cell]! < 0 || value === 0) continue;
      sums[bins[cell]!]! += value;
      sorter.add(value, ranks[cell]!);
    }
    results.expressing[gene] = sorter.count;
    results.means[gene] = sums.reduce((all, sum) => all + sum, 0) / cellCount;
    const { product, variation } = sorter.ranked(cellCount);
    // A sum with a value that is missing is NaN.
    const isKnown = !Number.isNaN(results.means[gene]!) && variation > 0 && ofAxis > 0;
    results.rho[gene] = isKnown ? Math.max(-1, Math.min(1, product / Math.sqrt(variation * ofAxis))) : NaN;
    const { peak, range } = extremesOf(sums, sizes);
    results.peaks[gene] = peak;
    results.ranges[gene] = range;
  }
  return results;
}

function extremesOf(sums: Float64Array, sizes: Int32Array): { peak: number; range: number } {
  let [peak, greatest, lowest] = [0, sums[0]! / sizes[0]!, sums[0]! / sizes[0]!];
  for (let bin = 1; bin < sums.length; bin++) {
    const mean = sums[bin]! / sizes[bin]!;
    if (mean > greatest) [peak, greatest] = [bin, mean];
    if (mean < lowest) lowest = mean;
  }
  return { peak, range: greatest - lowest };
}

/**
 * Two-sided p-value of a correlation of n pairs, as in scipy: Student's t with n - 2 degrees of freedom. NaN for NaN.
 */
export function correlationP(rho: number, n: number): number {
  return studentTwoSidedTail(rho * Math.sqrt((n - 2) / ((1 - rho) * (1 + rho))), n - 2);
}
