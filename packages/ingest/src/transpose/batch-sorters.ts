import { mergeSums } from '@cellfolio/store/worker';
import { LogNormaliser } from './log-normalise.ts';
import { EntryOutOfRange, type SortedBatch, type ValueArray } from './gene-major-matrix.ts';
import { emptyStatistics, observe, observeSum } from './value-statistics.ts';

/** Consecutive cells of a cell-major matrix. `indices` and `values` are overwritten. */
interface CellBatch {
  firstCell: number;
  /** Entries of cell `firstCell + i` are [rowStart[i], rowStart[i + 1]). */
  rowStart: ArrayLike<number>;
  rowCount: number;
  indices: Int32Array;
  values: ValueArray;
}

const bucketBits = 8;

/** Bytes the sorter holds per entry of its capacity, besides its input arrays. */
export function sorterBytesPerEntry(normalise: boolean, valueBytes: number): number {
  return 1 + 2 + valueBytes + (normalise ? 4 + valueBytes : 0);
}

/**
 * Turns cell-major batches into gene-major ones. Scattering entries straight to their genes touches a different cache
 * line each time, so nearly all the time goes into waiting for memory; entries therefore go first into buckets of 256
 * genes (some hundred write streams, which the cache holds) and then, bucket by bucket (which the cache holds too), to
 * their genes.
 */
export class CellBatchSorter {
  readonly #geneCount: number;
  readonly #normaliser: LogNormaliser | undefined;
  readonly #gene: Uint8Array;
  readonly #row: Uint16Array;
  readonly #value: ValueArray;
  readonly #expression: Float32Array | undefined;
  readonly #sortedExpression: Float32Array | undefined;
  readonly #next: Uint32Array;

  /** `capacity` is in entries; a batch holds at most 65,536 cells. */
  constructor(options: {
    geneCount: number;
    capacity: number;
    normalise: boolean;
    valueType: 'float32' | 'float64';
  }) {
    const { geneCount, capacity, normalise, valueType } = options;
    this.#geneCount = geneCount;
    this.#gene = new Uint8Array(capacity);
    this.#row = new Uint16Array(capacity);
    this.#value = valueType === 'float32' ? new Float32Array(capacity) : new Float64Array(capacity);
    this.#normaliser = normalise ? new LogNormaliser() : undefined;
    this.#expression = normalise ? new Float32Array(capacity) : undefined;
    this.#sortedExpression = normalise ? new Float32Array(capacity) : undefined;
    this.#next = new Uint32Array(geneCount);
  }

  /** Repeated entries are summed up, also in `sums`, which has them already. Throws EntryOutOfRange. */
  sort(batch: CellBatch, sums?: Int32Array): SortedBatch {
    const total = batch.rowStart[batch.rowCount]!;
    const statistics = emptyStatistics();
    observe(batch.values, total, statistics);
    const geneStart = this.#countGenes(batch, total);
    const rising = this.#intoBuckets(batch, geneStart);
    this.#intoGenes(batch, geneStart);
    const sorted = {
      firstGene: 0,
      geneStart,
      cells: batch.indices,
      values: this.#sortedExpression ?? batch.values,
      ...(this.#sortedExpression === undefined ? {} : { counts: batch.values }),
      statistics,
    };
    // Only a cell whose genes do not strictly rise can have a gene twice.
    if (!rising) this.#mergeRepeated(sorted, batch, sums);
    return sorted;
  }

  #countGenes({ indices, values }: CellBatch, total: number): Uint32Array {
    const geneCount = this.#geneCount;
    const geneStart = new Uint32Array(new SharedArrayBuffer((geneCount + 1) * 4));
    for (let i = 0; i < total; i++) {
      const gene = indices[i]!;
      if (gene >>> 0 >= geneCount) throw new EntryOutOfRange(i, gene, geneCount);
      if (values[i] !== 0) geneStart[gene + 1]!++;
    }
    for (let gene = 0; gene < geneCount; gene++) geneStart[gene + 1]! += geneStart[gene]!;
    return geneStart;
  }

  #intoBuckets(batch: CellBatch, geneStart: Uint32Array): boolean {
    const { rowStart, rowCount, indices, values } = batch;
    const bucketCount = Math.ceil(this.#geneCount / 2 ** bucketBits);
    const next = new Uint32Array(bucketCount);
    for (let b = 0; b < bucketCount; b++) next[b] = geneStart[b << bucketBits]!;
    const bucketGene = this.#gene;
    const bucketRow = this.#row;
    const bucketValue = this.#value;
    const expression = this.#expression;
    const normaliser = this.#normaliser;
    let rising = true;
    for (let row = 0; row < rowCount; row++) {
      const start = rowStart[row]!;
      const end = rowStart[row + 1]!;
      if (normaliser !== undefined) normaliser.startCell(sum(values, start, end));
      let last = -1;
      for (let i = start; i < end; i++) {
        const gene = indices[i]!;
        if (gene <= last) rising = false;
        last = gene;
        const value = values[i]!;
        if (value === 0) continue;
        const to = next[gene >> bucketBits]!++;
        bucketGene[to] = gene;
        bucketRow[to] = row;
        bucketValue[to] = value;
        if (expression !== undefined) expression[to] = normaliser!.value(value);
      }
    }
    return rising;
  }

  /** Reuses the batch's own arrays, which are free by now, for the result. */
  #intoGenes(batch: CellBatch, geneStart: Uint32Array): void {
    const { firstCell, indices: cells, values } = batch;
    const geneCount = this.#geneCount;
    const next = this.#next;
    next.set(geneStart.subarray(0, geneCount));
    const bucketGene = this.#gene;
    const bucketRow = this.#row;
    const bucketValue = this.#value;
    const expression = this.#expression;
    const sorted = this.#sortedExpression;
    for (let first = 0; first < geneCount; first += 2 ** bucketBits) {
      const end = geneStart[Math.min(first + 2 ** bucketBits, geneCount)]!;
      for (let i = geneStart[first]!; i < end; i++) {
        const to = next[first + bucketGene[i]!]!++;
        cells[to] = firstCell + bucketRow[i]!;
        values[to] = bucketValue[i]!;
        if (sorted !== undefined) sorted[to] = expression![i]!;
      }
    }
  }

  #mergeRepeated(sorted: SortedBatch, { firstCell, rowCount }: CellBatch, sums?: Int32Array): void {
    const { geneStart, cells, statistics } = sorted;
    const values = sorted.counts ?? sorted.values;
    const normaliser = this.#normaliser;
    const expression = this.#sortedExpression;
    const totals = new Float64Array(rowCount);
    const end = geneStart[this.#geneCount]!;
    if (expression !== undefined) for (let i = 0; i < end; i++) totals[cells[i]! - firstCell]! += values[i]!;
    let to = 0;
    for (let gene = 0; gene < this.#geneCount; gene++) {
      const from = geneStart[gene]!;
      const until = geneStart[gene + 1]!;
      geneStart[gene] = to;
      const start = to;
      for (let i = from; i < until; i++) {
        const cell = cells[i]!;
        if (to > start && cells[to - 1] === cell) {
          const parts = [values[to - 1]!, values[i]!] as const;
          if (sums) mergeSums(sums, { gene, cell, parts }, values instanceof Float64Array);
          values[to - 1]! += values[i]!;
          observeSum(values[to - 1]!, values, statistics);
          if (expression !== undefined) {
            normaliser!.startCell(totals[cell - firstCell]!);
            expression[to - 1] = normaliser!.value(values[to - 1]!);
          }
        } else {
          cells[to] = cell;
          values[to] = values[i]!;
          if (expression !== undefined) expression[to] = expression[i]!;
          to++;
        }
      }
      // The entries of the next gene are still where geneStart[gene + 1] says.
    }
    geneStart[this.#geneCount] = to;
    statistics.entries = to;
  }
}

function sum(values: ValueArray, start: number, end: number): number {
  let total = 0;
  for (let i = start; i < end; i++) total += values[i]!;
  return total;
}

/** Consecutive genes of a gene-major matrix. The arrays are overwritten. */
interface GeneBatch {
  firstGene: number;
  geneCount: number;
  /** Entries of gene `firstGene + i` are [rowStart[i], rowStart[i + 1]). */
  rowStart: ArrayLike<number>;
  /** Cell indices. */
  indices: Int32Array;
  values: ValueArray;
}

/**
 * Converts a gene-major batch to the stored form: rising cells, no explicit zeros, repeated entries summed. With
 * `totals` (counts of each cell) it also normalises the expression. Values seen before add no statistics. `sums` is as
 * for a sorter. Throws EntryOutOfRange.
 */
export function cleanGeneBatch(
  batch: GeneBatch,
  {
    cellCount,
    totals,
    seen,
    sums,
  }: { cellCount: number; totals?: Float64Array | undefined; seen?: boolean; sums?: Int32Array },
): SortedBatch {
  const { firstGene, geneCount, rowStart, indices: cells, values } = batch;
  const statistics = emptyStatistics();
  const zeros = seen === true || observe(values, rowStart[geneCount]!, statistics) > 0;
  const geneStart = new Uint32Array(new SharedArrayBuffer((geneCount + 1) * 4));
  let to = 0;
  let asStored = true;
  for (let gene = 0; gene < geneCount; gene++) {
    const from = rowStart[gene]!;
    const until = rowStart[gene + 1]!;
    let falls = 0;
    let last = -1;
    for (let i = from; i < until; i++) {
      const cell = cells[i]!;
      if (cell <= last) falls++;
      last = cell;
    }
    const rising = falls === 0;
    // Cells that rise lie in between their ends.
    if (!rising || last >= cellCount) {
      for (let i = from; i < until; i++)
        if (cells[i]! >>> 0 >= cellCount) throw new EntryOutOfRange(i, cells[i]!, cellCount);
    }
    if (rising && !(zeros && hasZero(values, from, until))) {
      // As in nearly all files: what lies where it is to lie is not touched.
      if (to < from) {
        cells.copyWithin(to, from, until);
        values.copyWithin(to, from, until);
      }
      to += until - from;
      geneStart[gene + 1] = to;
      continue;
    }
    asStored = false;
    if (!rising) sortByCell(cells, values, from, until);
    const start = to;
    for (let i = from; i < until; i++) {
      const value = values[i]!;
      if (value === 0) continue;
      const cell = cells[i]!;
      if (to > start && cells[to - 1] === cell) {
        const parts = [values[to - 1]!, value] as const;
        if (sums) mergeSums(sums, { gene: firstGene + gene, cell, parts }, values instanceof Float64Array);
        values[to - 1]! += value;
        observeSum(values[to - 1]!, values, statistics);
      } else {
        cells[to] = cell;
        values[to++] = value;
      }
    }
    geneStart[gene + 1] = to;
  }
  statistics.entries = to;
  if (totals === undefined) return { firstGene, geneStart, cells, values, statistics, asStored };
  const expression = new Float32Array(to);
  for (let i = 0; i < to; i++) expression[i] = Math.log1p((values[i]! * 1e4) / totals[cells[i]!]!);
  return { firstGene, geneStart, cells, values: expression, counts: values, statistics };
}

function hasZero(values: ValueArray, from: number, until: number): boolean {
  for (let i = from; i < until; i++) if (values[i] === 0) return true;
  return false;
}

function sortByCell(cells: Int32Array, values: ValueArray, from: number, until: number): void {
  const order = Array.from({ length: until - from }, (_, i) => from + i).sort(
    (a, b) => cells[a]! - cells[b]! || a - b,
  );
  const sortedCells = order.map((i) => cells[i]!);
  const sortedValues = order.map((i) => values[i]!);
  cells.set(sortedCells, from);
  values.set(sortedValues, from);
}
