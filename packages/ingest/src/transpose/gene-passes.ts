import { addCellSums, pairSum } from '@cellfolio/store/worker';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { MatrixReader } from './matrix-reader.ts';
import { readEntries } from './transpose-plan.ts';
import { emptyStatistics, observe, type ValueStatistics } from './value-statistics.ts';
import type { ThreadSums } from './transpose-tasks.ts';
import { EntryOutOfRange } from './gene-major-matrix.ts';
import { LogNormaliser } from './log-normalise.ts';
import type { UnpackedEntries } from './unpacked-entries.ts';

/** Rows [firstCell, endCell) of a cell-major matrix. All arrays are in shared memory. */
export interface RowPart {
  firstCell: number;
  endCell: number;
  /** Positions of all rows in the file. */
  positions: Float64Array;
  /** First rows of the slices that are read at once, then `endCell`. */
  cuts: readonly number[];
  /** Sum of each cell; filled by counting, used to normalise. */
  totals: Float64Array;
  /** Non-zero values of each gene in each slice, slice after slice; filled by counting. */
  sliceCounts: Uint16Array;
}

export interface CountTask extends RowPart {
  kind: 'count';
  /** Length geneCount; filled by the task. */
  counts: Uint32Array;
  normalise: boolean;
}

export interface CountedRows {
  statistics: ValueStatistics;
  /** Whether genes strictly rise in every row, so that none repeats. */
  rising: boolean;
}

export interface ScatterTask extends RowPart {
  kind: 'scatter';
  firstGene: number;
  endGene: number;
  /** Position of the first entry of each of all genes in this part. */
  starts: Uint32Array;
  normalise: boolean;
  cells: Int32Array;
  /** float32 values as integers of the same bits. */
  valueBits: Int32Array;
}

/** Work of one thread that rereads a cell-major matrix for each block of genes. */
export class GenePasses {
  readonly #reader: MatrixReader;
  readonly #unpacked: UnpackedEntries | undefined;
  readonly #layout: MatrixLayout;
  readonly #sliceEntries: number;
  readonly #next: Uint32Array;
  readonly #sums: ThreadSums;
  #slice = new RowSlice(readEntries);
  #sorter: SliceSorter | undefined;

  /** With `unpacked`, counting stores what it reads there, and all later reads use it. */
  constructor(
    reader: MatrixReader,
    layout: MatrixLayout,
    {
      sliceEntries,
      sums,
      unpacked,
    }: { sliceEntries: number; sums: ThreadSums; unpacked: UnpackedEntries | undefined },
  ) {
    this.#sums = sums;
    this.#reader = reader;
    this.#unpacked = unpacked;
    this.#layout = layout;
    this.#sliceEntries = sliceEntries;
    this.#next = new Uint32Array(layout.geneCount);
  }

  /** Throws EntryOutOfRange with the position in the file. */
  count(task: CountTask): CountedRows {
    const { totals, counts, normalise } = task;
    const statistics = emptyStatistics();
    let rising = true;
    for (const slice of this.#sliceCounts(task)) {
      for (const rows of this.#rows(slice.first, slice.end, task, this.#reader)) {
        this.#unpacked?.keep(rows.base, ...rows.entries());
        rising = countRows(rows, slice.counts, statistics) && rising;
        if (normalise) sumRows(rows, totals);
        const { firstCell, rowStart: starts, indices: genes, values } = rows;
        addCellSums(this.#sums.read, { firstCell, starts, genes, values });
      }
      for (let gene = 0; gene < counts.length; gene++) counts[gene]! += slice.counts[gene]!;
    }
    return { statistics, rising };
  }

  /** Genes must rise in every row. */
  scatter(task: ScatterTask): void {
    const next = this.#next;
    next.set(task.starts);
    this.#sorter ??= new SliceSorter(this.#sliceEntries, this.#layout.geneCount);
    for (const { first, end, counts } of this.#sliceCounts(task)) {
      this.#sorter.begin(task, counts);
      const reader = this.#unpacked?.reader ?? this.#reader;
      for (const rows of this.#rows(first, end, task, reader)) this.#sorter.collect(rows, task);
      this.#sorter.copyRuns(task, next);
      if (task.normalise) this.#sorter.addSums(task, this.#sums.normalised);
    }
  }

  *#sliceCounts({
    cuts,
    sliceCounts,
  }: RowPart): Generator<{ first: number; end: number; counts: Uint16Array }> {
    const { geneCount } = this.#layout;
    for (let i = 0; i + 1 < cuts.length; i++) {
      const counts = sliceCounts.subarray(i * geneCount, (i + 1) * geneCount);
      yield { first: cuts[i]!, end: cuts[i + 1]!, counts };
    }
  }

  /** Reads rows [first, end) in portions that fit the processor cache. */
  *#rows(first: number, end: number, { positions }: RowPart, reader: MatrixReader): Generator<RowSlice> {
    for (let from = first; from < end;) {
      let until = from + 1;
      while (until < end && positions[until + 1]! - positions[from]! <= readEntries) until++;
      const count = positions[until]! - positions[from]!;
      if (count > this.#slice.indices.length) this.#slice = new RowSlice(count);
      const slice = this.#slice;
      slice.turnTo(from, until, positions);
      reader.entries(positions[from]!, positions[until]!, slice.indices, slice.values);
      yield slice;
      from = until;
    }
  }
}

class RowSlice {
  readonly indices: Int32Array;
  readonly values: Float32Array;
  /** `values` as integers of the same bits. */
  readonly bits: Int32Array;
  firstCell = 0;
  /** Position of the first entry in the file. */
  base = 0;
  /** Entries of cell `firstCell + i` are [rowStart[i], rowStart[i + 1]). */
  rowStart: Uint32Array = new Uint32Array(1);

  constructor(capacity: number) {
    this.indices = new Int32Array(capacity);
    this.values = new Float32Array(capacity);
    this.bits = new Int32Array(this.values.buffer);
  }

  entries(): [Int32Array, Float32Array] {
    const count = this.rowStart[this.rowStart.length - 1]!;
    return [this.indices.subarray(0, count), this.values.subarray(0, count)];
  }

  turnTo(first: number, end: number, positions: Float64Array): void {
    const base = positions[first]!;
    this.firstCell = first;
    this.base = base;
    this.rowStart = new Uint32Array(end - first + 1);
    for (let row = 0; row < this.rowStart.length; row++) this.rowStart[row] = positions[first + row]! - base;
  }
}

/**
 * Counts the non-zero values of each gene and adds to the statistics. Returns whether genes strictly rise in every row.
 * Throws EntryOutOfRange with the position in the file.
 */
function countRows(slice: RowSlice, counts: Uint16Array, statistics: ValueStatistics): boolean {
  const rising = countGenes(slice, counts);
  const { indices, values, rowStart } = slice;
  const end = rowStart[rowStart.length - 1]!;
  if (observe(values, end, statistics) > 0)
    for (let i = 0; i < end; i++) if (values[i] === 0) counts[indices[i]!]!--;
  return rising;
}

/** Counts entries by gene, zeros included. */
function countGenes({ indices, rowStart, base }: RowSlice, counts: Uint16Array): boolean {
  const geneCount = counts.length;
  let rising = true;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const start = rowStart[row]!;
    const end = rowStart[row + 1]!;
    let last = -1;
    let falls = 0;
    for (let i = start; i < end; i++) {
      const gene = indices[i]!;
      if (gene <= last) falls++;
      last = gene;
      counts[gene]!++;
    }
    // A row that rises lies in between its ends; what is counted outside of an array is nowhere.
    if (falls === 0 && last < geneCount) continue;
    rising &&= falls === 0;
    for (let i = start; i < end; i++)
      if (indices[i]! >>> 0 >= geneCount) throw new EntryOutOfRange(base + i, indices[i]!, geneCount);
  }
  return rising;
}

function sumRows({ values, rowStart, firstCell }: RowSlice, totals: Float64Array): void {
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const end = rowStart[row + 1]!;
    let sum = 0;
    for (let i = rowStart[row]!; i < end; i++) sum += values[i]!;
    totals[firstCell + row] = sum;
  }
}

/**
 * Moves the entries of a block of genes from rows to their places. Written one by one, entries of consecutive genes
 * would each touch a different page, and the lookups would dominate the cost; so a slice is sorted by gene in a buffer
 * that the cache holds, and each gene's run is then written. Values are moved as integers of their bits, which is
 * cheaper than as floats.
 */
class SliceSorter {
  /** Alternating cell and value, so that both share a cache line. */
  readonly #pairs: Int32Array;
  readonly #pairValues: Float32Array;
  readonly #ends: Uint32Array;
  readonly #normaliser = new LogNormaliser();
  #low = new Uint32Array(0);
  #high = new Uint32Array(0);

  constructor(capacity: number, geneCount: number) {
    this.#pairs = new Int32Array(capacity * 2);
    this.#pairValues = new Float32Array(this.#pairs.buffer);
    this.#ends = new Uint32Array(geneCount + 1);
  }

  begin({ firstGene, endGene }: ScatterTask, counts: Uint16Array): void {
    // While sorting, a gene's element is the place of its next entry: at last where the next gene begins.
    const ends = this.#ends;
    ends[firstGene] = 0;
    for (let gene = firstGene; gene < endGene; gene++) ends[gene + 1] = ends[gene]! + counts[gene]!;
  }

  /** Adds the next rows of the slice; genes must rise in each. */
  collect(rows: RowSlice, task: ScatterTask): void {
    this.#find(rows, task);
    if (task.normalise) this.#collectNormalised(rows, task);
    else this.#collect(rows);
  }

  #find({ indices, rowStart }: RowSlice, { firstGene, endGene }: ScatterTask): void {
    const rowCount = rowStart.length - 1;
    if (this.#low.length < rowCount) {
      this.#low = new Uint32Array(rowCount);
      this.#high = new Uint32Array(rowCount);
    }
    const lows = this.#low;
    const highs = this.#high;
    for (let row = 0; row < rowCount; row++) {
      const until = rowStart[row + 1]!;
      const low = lowerBound(indices, rowStart[row]!, until, firstGene);
      lows[row] = low;
      highs[row] = lowerBound(indices, low, until, endGene);
    }
  }

  #collect({ indices, bits, rowStart, firstCell }: RowSlice): void {
    const rowCount = rowStart.length - 1;
    const next = this.#ends;
    const lows = this.#low;
    const highs = this.#high;
    const pairs = this.#pairs;
    for (let row = 0; row < rowCount; row++) {
      const high = highs[row]!;
      const cell = firstCell + row;
      for (let i = lows[row]!; i < high; i++) {
        const value = bits[i]!;
        // Without the sign: -0 is no value either.
        if (value << 1 === 0) continue;
        const to = next[indices[i]!]!++ << 1;
        pairs[to] = cell;
        pairs[to + 1] = value;
      }
    }
  }

  #collectNormalised({ indices, values, rowStart, firstCell }: RowSlice, { totals }: ScatterTask): void {
    const rowCount = rowStart.length - 1;
    const next = this.#ends;
    const lows = this.#low;
    const highs = this.#high;
    const pairs = this.#pairs;
    const pairValues = this.#pairValues;
    const normaliser = this.#normaliser;
    for (let row = 0; row < rowCount; row++) {
      const high = highs[row]!;
      const cell = firstCell + row;
      normaliser.startCell(totals[cell]!);
      for (let i = lows[row]!; i < high; i++) {
        const value = values[i]!;
        if (value === 0) continue;
        const to = next[indices[i]!]!++ << 1;
        pairs[to] = cell;
        pairValues[to + 1] = normaliser.value(value);
      }
    }
  }

  /** Moves the slice to its places; `next` holds each gene's next position and is advanced. */
  copyRuns({ firstGene, endGene, cells, valueBits }: ScatterTask, next: Uint32Array): void {
    const ends = this.#ends;
    const pairs = this.#pairs;
    let from = 0;
    for (let gene = firstGene; gene < endGene; gene++) {
      const end = ends[gene]! << 1;
      let to = next[gene]!;
      for (; from < end; from += 2) {
        cells[to] = pairs[from]!;
        valueBits[to++] = pairs[from + 1]!;
      }
      next[gene] = to;
    }
  }

  addSums({ firstGene, endGene }: ScatterTask, sums: Int32Array): void {
    const pairs = this.#pairs;
    let from = 0;
    for (let gene = firstGene; gene < endGene; gene++) {
      const end = this.#ends[gene]!;
      sums[gene] = (sums[gene]! + pairSum(pairs, from, end)) | 0;
      from = end;
    }
  }
}

/** First position in the rising range [from, to) whose value is not below `value`; `to` if there is none. */
function lowerBound(rising: Int32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
