import type { GeneBlock } from '@cellfolio/model';
import { studentTwoSidedTail } from '../statistics/tails.ts';
import type { PseudotimeOrder } from './pseudotime-order.ts';

/** Of consecutive genes, among the cells with a pseudotime. */
export interface GenesAlong {
  /** Row in var. */
  readonly firstGene: number;
  /** Spearman's correlation with pseudotime; NaN where a gene does not vary or has a value that is missing. */
  readonly rho: Float64Array;
  /** Cells with a value other than 0. */
  readonly expressing: Int32Array;
  readonly means: Float64Array;
  /** The bin with the greatest mean, the first of equals. */
  readonly peaks: Int16Array;
}

/** Entries of a gene that a key can tell apart: 32 bits of its value and 21 of its place fit a float64. */
const maxEntries = 2 ** 21;

/**
 * Spearman's correlation of each gene with pseudotime, as `scipy.stats.spearmanr` has it, in one pass over the entries
 * of a block: cells without an entry share one rank, and as the ranks of pseudotime are about their mean, those cells need
 * not be visited. Throws RangeError for genes of other cells.
 */
export function genesAlongPseudotime(block: GeneBlock, order: PseudotimeOrder): GenesAlong {
  const { ranks, bins, cellCount, sizes } = order;
  if (block.cellCount !== ranks.length || block.cellCount > maxEntries) {
    throw new RangeError(`${ranks.length} pseudotimes do not fit genes of ${block.cellCount} cells`);
  }
  const geneCount = block.starts.length - 1;
  const found: GenesAlong = {
    firstGene: block.firstGene,
    rho: new Float64Array(geneCount),
    expressing: new Int32Array(geneCount),
    means: new Float64Array(geneCount),
    peaks: new Int16Array(geneCount),
  };
  const ofTime = ranks.reduce((sum, rank) => (Number.isNaN(rank) ? sum : sum + rank * rank), 0);
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
    found.expressing[gene] = sorter.count;
    found.means[gene] = sums.reduce((all, sum) => all + sum, 0) / cellCount;
    const { product, variation } = sorter.ranked(cellCount);
    // A sum with a value that is missing is NaN.
    const isKnown = !Number.isNaN(found.means[gene]!) && variation > 0 && ofTime > 0;
    found.rho[gene] = isKnown ? Math.max(-1, Math.min(1, product / Math.sqrt(variation * ofTime))) : NaN;
    found.peaks[gene] = peakOf(sums, sizes);
  }
  return found;
}

function peakOf(sums: Float64Array, sizes: Int32Array): number {
  let peak = 0;
  for (let bin = 1; bin < sums.length; bin++) {
    if (sums[bin]! / sizes[bin]! > sums[peak]! / sizes[peak]!) peak = bin;
  }
  return peak;
}

/** The p-value of no correlation of n pairs, as scipy has it: Student's t with n - 2 degrees of freedom. NaN for NaN. */
export function correlationP(rho: number, n: number): number {
  return studentTwoSidedTail(rho * Math.sqrt((n - 2) / ((1 - rho) * (1 + rho))), n - 2);
}

/**
 * Sorts the entries of one gene by value. A key holds the bits of a float32, turned so that they rise with it, above the
 * place of the entry: typed arrays of numbers are sorted without a comparator, many times as fast as with one.
 */
class EntrySorter {
  count = 0;
  #keys = new Float64Array(1024);
  #times = new Float64Array(1024);
  readonly #float = new Float32Array(1);
  readonly #bits = new Int32Array(this.#float.buffer);

  begin(most: number): void {
    this.count = 0;
    if (most <= this.#keys.length) return;
    this.#keys = new Float64Array(2 * most);
    this.#times = new Float64Array(2 * most);
  }

  add(value: number, time: number): void {
    this.#float[0] = value;
    const bits = this.#bits[0]!;
    this.#keys[this.count] = (bits < 0 ? -(bits & 0x7fffffff) : bits) * maxEntries + this.count;
    this.#times[this.count++] = time;
  }

  /** The sum of products of ranks about their means, and that of squares of the ranks of the values, with zeros for all other cells. */
  ranked(cellCount: number): { product: number; variation: number } {
    const keys = this.#keys.subarray(0, this.count).sort();
    const zeros = cellCount - this.count;
    const negatives = countBelowZero(keys);
    const zeroRank = negatives + (zeros + 1) / 2;
    let product = 0;
    let ties = zeros ** 3 - zeros;
    for (let start = 0; start < keys.length;) {
      const value = Math.floor(keys[start]! / maxEntries);
      let end = start;
      let times = 0;
      while (end < keys.length && Math.floor(keys[end]! / maxEntries) === value) {
        times += this.#times[keys[end]! - value * maxEntries]!;
        end++;
      }
      const rank = (start + end + 1) / 2 + (start >= negatives ? zeros : 0);
      // Without zeros the ranks of pseudotime add up to 0, so any rank may be taken off.
      product += (rank - zeroRank) * times;
      ties += (end - start) ** 3 - (end - start);
      start = end;
    }
    return { product, variation: (cellCount ** 3 - cellCount - ties) / 12 };
  }
}

function countBelowZero(rising: Float64Array): number {
  const first = rising.findIndex((key) => key >= 0);
  return first < 0 ? rising.length : first;
}
