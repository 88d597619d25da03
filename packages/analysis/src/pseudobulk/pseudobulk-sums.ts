import { kernelOf, sumsModule } from '@cellfolio/kernels';
import { type CategoricalColumn, type CellMask, type CountBlock, largestGene } from '@cellfolio/model';
import type { GeneSampleMatrix } from './gene-sample-matrix.ts';

export interface SummedCells {
  /** Codes of the sample and of the group in their columns. */
  readonly sample: number;
  readonly group: number;
  readonly cells: number;
}

/** Assignment of cells to sums. Plain arrays, which can be sent to a thread. */
export interface PseudobulkSamples {
  /** Columns of the sums: group by group, samples in the order of their codes. */
  readonly sums: readonly SummedCells[];
  /** Samples with fewer than `minCells` cells in a group. */
  readonly leftOut: readonly SummedCells[];
  /** Per cell of the dataset: index in `sums`, or -1. */
  readonly codes: Int32Array;
}

type Labels = Pick<CategoricalColumn, 'codes' | 'categories'>;

/**
 * Sums of cells by sample and group. Cells without a sample or group, or outside the mask, are ignored. Throws
 * RangeError if samples, groups and mask are of different cells.
 */
export function pseudobulkSamples(
  samples: Labels,
  groups: Labels,
  { mask, minCells }: { mask?: CellMask; minCells: number },
): PseudobulkSamples {
  const cellCount = samples.codes.length;
  for (const { length } of [groups.codes, mask?.bits ?? groups.codes]) {
    if (length !== cellCount) throw new RangeError(`${length} cells do not fit ${cellCount} cells`);
  }
  const sampleCount = samples.categories.length;
  const codes = new Int32Array(cellCount);
  const counts = new Float64Array(sampleCount * groups.categories.length);
  for (let cell = 0; cell < cellCount; cell++) {
    const [sample, group] = [samples.codes[cell]!, groups.codes[cell]!];
    const counted = sample >= 0 && group >= 0 && (!mask || mask.bits[cell] === 1);
    codes[cell] = counted ? group * sampleCount + sample : -1;
    if (counted) counts[codes[cell]!]!++;
  }
  const sums: SummedCells[] = [];
  const leftOut: SummedCells[] = [];
  const placeOf = new Int32Array(counts.length).fill(-1);
  counts.forEach((cells, at) => {
    if (cells === 0) return;
    const summed = { sample: at % sampleCount, group: Math.floor(at / sampleCount), cells };
    if (cells < minCells) leftOut.push(summed);
    else placeOf[at] = sums.push(summed) - 1;
  });
  for (let cell = 0; cell < cellCount; cell++) if (codes[cell]! >= 0) codes[cell] = placeOf[codes[cell]!]!;
  return { sums, leftOut, codes };
}

/**
 * Sums the raw counts of consecutive genes in one pass over their entries: rows of the matrix of all genes, to be set
 * at `firstGene` × samples. Throws RangeError if the samples are those of other cells.
 */
export function pseudobulkSums(block: CountBlock, { sums, codes }: PseudobulkSamples): GeneSampleMatrix {
  if (block.cellCount !== codes.length) {
    throw new RangeError(`samples of ${codes.length} cells do not fit genes of ${block.cellCount} cells`);
  }
  const { starts, cells, values: counts } = block;
  const geneCount = starts.length - 1;
  const sampleCount = sums.length;
  const values = new Float64Array(geneCount * sampleCount);
  if (counts instanceof Float64Array) {
    // The kernel adds up float32, and few datasets have counts that it does not hold.
    for (let gene = 0; gene < geneCount; gene++) {
      const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
      for (let at = starts[gene]!; at < starts[gene + 1]!; at++) {
        const sum = codes[cells[at]!]!;
        if (sum >= 0) row[sum]! += counts[at]!;
      }
    }
    return { geneCount, sampleCount, values };
  }
  // One more sum, of the cells in none.
  const widest = 1 + sampleCount;
  const at = { sums: 0, codes: 8 * widest, cells: 0, counts: 0 };
  at.cells = at.codes + 4 * codes.length;
  const maxEntries = largestGene(block);
  at.counts = at.cells + 4 * maxEntries;
  const { kernel, memory } = sumKernel(at.counts + 4 * maxEntries);
  const { buffer } = memory;
  const own = new Float64Array(buffer, at.sums, widest);
  const [ownCells, ownCounts] = [
    new Int32Array(buffer, at.cells, maxEntries),
    new Float32Array(buffer, at.counts, maxEntries),
  ];
  new Int32Array(buffer, at.codes, codes.length).set(codes);
  for (let gene = 0; gene < geneCount; gene++) {
    const [start, end] = [starts[gene]!, starts[gene + 1]!];
    own.fill(0);
    ownCells.set(cells.subarray(start, end));
    ownCounts.set(counts.subarray(start, end));
    kernel.addUp(at.cells, at.cells + 4 * (end - start), at.counts, at.codes, at.sums + 8);
    values.set(own.subarray(1), gene * sampleCount);
  }
  return { geneCount, sampleCount, values };
}

interface SumKernel {
  addUp(cells: number, end: number, counts: number, codes: number, sums: number): void;
}

const sumKernel = kernelOf<SumKernel>(sumsModule);
