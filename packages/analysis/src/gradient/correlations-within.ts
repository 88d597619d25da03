import type { GeneBlock } from '@cellfolio/model';
import { rankCells } from '../axis/axis-order.ts';
import { EntrySorter, maxEntries } from '../axis/entry-sorter.ts';
import { correlationP } from '../axis/genes-along-axis.ts';
import { normalUpperQuantile } from '../statistics/normal-quantile.ts';
import { normalUpperTail } from '../statistics/tails.ts';

/** Ranks of the cells' positions on an axis, within each sample. */
export interface SampleRanks {
  /** Per cell: index of its sample among those tested, or -1. */
  readonly samples: Int16Array;
  /** Per cell: mean rank of its position within its sample, centred on the sample's mean rank; NaN without a sample. */
  readonly ranks: Float64Array;
  /** Cells of each sample; `squares` has the sum of its squared ranks. */
  readonly sizes: Int32Array;
  readonly squares: Float64Array;
  readonly codes: Int32Array;
}

/** Results of consecutive genes, tested within each sample. NaN for a gene that varies in none. */
export interface CorrelationsWithin {
  /** Mean of the samples' Spearman correlations, weighted by cells. */
  readonly rho: Float64Array;
  /** Two-sided p-value of the combined test. */
  readonly p: Float64Array;
  /**
   * Number of samples in which the gene varies, and of those whose correlation has the direction of the combined test.
   */
  readonly tested: Int16Array;
  readonly agreeing: Int16Array;
}

/** Maximum number of samples: a column with more identifies cells or runs. */
export const maxAxisSamples = 2000;

/**
 * Ranks the cells with a position within their samples. Leaves out samples with fewer than `minCells` of them, and
 * those in which the axis does not vary. Cells with code -1 are in no sample.
 */
export function sampleRanks(
  values: Float64Array,
  codes: ArrayLike<number>,
  { sampleCount, minCells }: { readonly sampleCount: number; readonly minCells: number },
): SampleRanks {
  const counts = new Int32Array(sampleCount);
  const isPlaced = (cell: number) => codes[cell]! >= 0 && Number.isFinite(values[cell]);
  for (let cell = 0; cell < values.length; cell++) if (isPlaced(cell)) counts[codes[cell]!]!++;
  const members = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (let cell = 0; cell < values.length; cell++) {
    const code = codes[cell]!;
    if (isPlaced(cell)) members[code]![counts[code]!++] = cell;
  }
  const samples = new Int16Array(values.length).fill(-1);
  const ranks = new Float64Array(values.length).fill(NaN);
  const [sizes, squares, usedCodes]: number[][] = [[], [], []];
  members.forEach((cells, code) => {
    if (cells.length < minCells || cells.every((cell) => values[cell] === values[cells[0]!])) return;
    rankCells(cells, values, ranks);
    let square = 0;
    for (const cell of cells) {
      samples[cell] = usedCodes!.length;
      square += ranks[cell]! ** 2;
    }
    usedCodes!.push(code);
    sizes!.push(cells.length);
    squares!.push(square);
  });
  return {
    samples,
    ranks,
    sizes: Int32Array.from(sizes!),
    squares: Float64Array.from(squares!),
    codes: Int32Array.from(usedCodes!),
  };
}

/**
 * Spearman correlation of each gene with an axis in each sample; the one-sided p-values are combined by Stouffer's
 * method, weighted by the square roots of the cell numbers, as `scipy.stats.combine_pvalues`. The p-value is twice the
 * smaller of both directions. Differences between samples have no effect. Tails below 1e-300 are set to that. Throws
 * RangeError for genes of other cells.
 */
export function correlationsWithin(block: GeneBlock, within: SampleRanks): CorrelationsWithin {
  const { samples, ranks, sizes, squares } = within;
  if (block.cellCount !== samples.length || block.cellCount > maxEntries) {
    throw new RangeError(`${samples.length} places do not fit genes of ${block.cellCount} cells`);
  }
  const geneCount = block.starts.length - 1;
  const results: CorrelationsWithin = {
    rho: new Float64Array(geneCount).fill(NaN),
    p: new Float64Array(geneCount).fill(NaN),
    tested: new Int16Array(geneCount),
    agreeing: new Int16Array(geneCount),
  };
  const sorters = Array.from(sizes, () => new EntrySorter());
  const rhos = new Float64Array(sizes.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const [start, end] = [block.starts[gene]!, block.starts[gene + 1]!];
    sorters.forEach((sorter, sample) => sorter.begin(Math.min(sizes[sample]!, end - start)));
    let sum = 0;
    for (let at = start; at < end; at++) {
      const cell = block.cells[at]!;
      const value = block.values[at]!;
      const sample = samples[cell]!;
      if (sample < 0 || value === 0) continue;
      sum += value;
      sorters[sample]!.add(value, ranks[cell]!);
    }
    // A sum with a value that is missing is NaN.
    if (Number.isNaN(sum)) continue;
    sorters.forEach((sorter, sample) => {
      const { product, variation } = sorter.ranked(sizes[sample]!);
      const rho = product / Math.sqrt(variation * squares[sample]!);
      rhos[sample] = variation > 0 ? Math.max(-1, Math.min(1, rho)) : NaN;
    });
    combine(results, gene, { rhos, sizes });
  }
  return results;
}

function combine(
  results: CorrelationsWithin,
  gene: number,
  { rhos, sizes }: { rhos: Float64Array; sizes: Int32Array },
): void {
  let [cells, rho, z, tested] = [0, 0, 0, 0];
  for (let sample = 0; sample < rhos.length; sample++) {
    const own = rhos[sample]!;
    if (Number.isNaN(own)) continue;
    const size = sizes[sample]!;
    tested++;
    cells += size;
    rho += size * own;
    const tail = Math.max(Number.MIN_VALUE, correlationP(own, size) / 2);
    z += Math.sign(own) * Math.sqrt(size) * normalUpperQuantile(tail);
  }
  if (tested === 0) return;
  results.tested[gene] = tested;
  results.agreeing[gene] = rhos.reduce((count, own) => count + (own * z > 0 ? 1 : 0), 0);
  results.rho[gene] = rho / cells;
  results.p[gene] = Math.min(1, 2 * normalUpperTail(Math.abs(z) / Math.sqrt(cells)));
}
