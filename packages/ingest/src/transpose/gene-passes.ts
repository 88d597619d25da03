import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { MatrixReader } from './matrix-reader.ts';
import { cutRows } from './transpose-plan.ts';
import { emptyStatistics, type ValueStatistics } from './value-statistics.ts';
import { EntryOutOfRange } from './gene-major-matrix.ts';
import { LogNormaliser } from './log-normalise.ts';

/** Rows [firstCell, endCell) of a cell-major matrix. All arrays lie in memory that threads share. */
export interface RowPart {
  readonly firstCell: number;
  readonly endCell: number;
  /** Positions of all rows in the file. */
  readonly positions: Float64Array;
  /** Sum of each cell; filled by counting, used to normalise. */
  readonly totals: Float64Array;
}

/** Counts the values other than zero of each gene in a part of the rows. */
export interface CountTask extends RowPart {
  readonly kind: 'count';
  /** geneCount, filled. */
  readonly counts: Uint32Array;
}

export interface CountedRows {
  readonly statistics: ValueStatistics;
  /** Whether genes strictly rise in every row, so that none has a gene twice. */
  readonly rising: boolean;
}

/** Puts the entries of the genes [firstGene, endGene) of a part of the rows to their places. */
export interface ScatterTask extends RowPart {
  readonly kind: 'scatter';
  readonly firstGene: number;
  readonly endGene: number;
  /** Place of the first entry of each gene (of all) in this part. */
  readonly starts: Uint32Array;
  readonly normalise: boolean;
  readonly cells: Int32Array;
  /** float32 values as integers of the same bits. */
  readonly valueBits: Int32Array;
}

/** Work of one thread that reads a cell-major matrix again for each block of genes. */
export class GenePasses {
  readonly #reader: MatrixReader;
  readonly #layout: MatrixLayout;
  readonly #slice: RowSlice;
  readonly #next: Uint32Array;
  #sorter: SliceSorter | undefined;

  constructor(reader: MatrixReader, layout: MatrixLayout, sliceEntries: number) {
    this.#reader = reader;
    this.#layout = layout;
    this.#slice = new RowSlice(sliceEntries);
    this.#next = new Uint32Array(layout.geneCount);
  }

  /** Throws EntryOutOfRange with the position in the file. */
  count({ firstCell, endCell, positions, totals, counts }: CountTask): CountedRows {
    const found = this.#next.fill(0);
    const statistics = emptyStatistics();
    let rising = true;
    for (const slice of this.#slices(firstCell, endCell, positions))
      rising = countSlice(slice, totals, found, statistics) && rising;
    for (const count of found) statistics.entries += count;
    counts.set(found);
    return { statistics, rising };
  }

  /** Genes must rise in every row. */
  scatter(task: ScatterTask): void {
    const { firstCell, endCell, positions, starts } = task;
    const next = this.#next;
    next.set(starts);
    this.#sorter ??= new SliceSorter(this.#slice.indices.length, this.#layout.geneCount);
    for (const slice of this.#slices(firstCell, endCell, positions)) this.#sorter.sort(slice, task, next);
  }

  /** Reads whole rows, as many at once as the buffers take. */
  *#slices(firstCell: number, endCell: number, positions: Float64Array): Generator<RowSlice> {
    const slice = this.#slice;
    const { indices, values } = slice;
    const cuts = cutRows(positions.subarray(firstCell, endCell + 1), indices.length, endCell);
    for (let i = 0; i + 1 < cuts.length; i++) {
      const first = firstCell + cuts[i]!;
      const end = firstCell + cuts[i + 1]!;
      slice.turnTo(first, end, positions);
      this.#reader.entries(positions[first]!, positions[end]!, indices, values);
      yield slice;
    }
  }
}

/** Some rows of a cell-major matrix in memory; the arrays are used again for the next ones. */
class RowSlice {
  readonly indices: Int32Array;
  readonly values: Float32Array;
  /** The values again, as integers of the same bits. */
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

  /** Describes the rows [first, end), whose entries are to be read next. */
  turnTo(first: number, end: number, positions: Float64Array): void {
    const base = positions[first]!;
    this.firstCell = first;
    this.base = base;
    this.rowStart = new Uint32Array(end - first + 1);
    for (let row = 0; row < this.rowStart.length; row++) this.rowStart[row] = positions[first + row]! - base;
  }
}

/**
 * Adds the values other than zero to the counts of their genes, and what they are to the statistics (all
 * but `entries`); sets the totals of the cells. Returns whether genes strictly rise in every row. Throws
 * EntryOutOfRange with the position in the file.
 */
function countSlice(
  { indices, values, rowStart, firstCell, base }: RowSlice,
  totals: Float64Array,
  counts: Uint32Array,
  statistics: ValueStatistics,
): boolean {
  const geneCount = counts.length;
  const rowCount = rowStart.length - 1;
  // In memory, not in variables: a bound that hardly ever moves is then a branch hardly ever taken.
  const bounds = Float64Array.of(statistics.minimum, statistics.maximum);
  let { zeros } = statistics;
  let rising = true;
  for (let row = 0; row < rowCount; row++) {
    const start = rowStart[row]!;
    const end = rowStart[row + 1]!;
    let last = -1;
    let sum = 0;
    for (let i = start; i < end; i++) {
      const gene = indices[i]!;
      if (gene >>> 0 >= geneCount) throw new EntryOutOfRange(base + i, gene, geneCount);
      if (gene <= last) rising = false;
      last = gene;
      const value = values[i]!;
      sum += value;
      if (value === 0) {
        zeros++;
        continue;
      }
      counts[gene]!++;
      if (value < bounds[0]!) bounds[0] = value;
      if (value > bounds[1]!) bounds[1] = value;
    }
    totals[firstCell + row] = sum;
    // What hardly any matrix has is looked for only in rows that may have it.
    if (bounds[0]! < 0 || sum !== sum) countStrange(values, start, end, statistics);
  }
  statistics.minimum = bounds[0]!;
  statistics.maximum = bounds[1]!;
  statistics.zeros = zeros;
  if (statistics.fractional === 0 && hasFraction(values, rowStart[rowCount]!)) statistics.fractional = 1;
  return rising;
}

function countStrange(values: Float32Array, start: number, end: number, into: ValueStatistics): void {
  for (let i = start; i < end; i++) {
    const value = values[i]!;
    if (value !== value) into.nan++;
    else if (value < 0) into.negative++;
  }
}

/** NaN is missing, not a fraction. */
function hasFraction(values: Float32Array, count: number): boolean {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (Math.floor(value) !== value && value === value) return true;
  }
  return false;
}

/**
 * Brings the entries of a block of genes from rows to their places. Written one by one, entries of
 * consecutive genes would each go to a page of its own, and looking that up costs more than all else; so
 * a slice is sorted by gene in a buffer that the cache holds, and each gene's run of it is then written.
 * Values are moved as the integers that their bits are, which is cheaper than as floats.
 */
class SliceSorter {
  /** Cell and value in turn: both go to one cache line. */
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

  /** `next` has the place of the next entry of each gene of the matrix, and is moved on. Genes must rise in rows. */
  sort(slice: RowSlice, task: ScatterTask, next: Uint32Array): void {
    this.#count(slice, task);
    if (task.normalise) this.#collectNormalised(slice, task);
    else this.#collect(slice);
    this.#copyRuns(task, next);
  }

  /** Finds the block's entries in each row, and the place of each gene in the sorted slice. */
  #count({ indices, bits, rowStart }: RowSlice, { firstGene, endGene }: ScatterTask): void {
    const rowCount = rowStart.length - 1;
    if (this.#low.length < rowCount) {
      this.#low = new Uint32Array(rowCount);
      this.#high = new Uint32Array(rowCount);
    }
    const lows = this.#low;
    const highs = this.#high;
    // While sorting, a gene's element is the place of its next entry: at last where the next gene begins.
    const ends = this.#ends.fill(0, firstGene, endGene + 1);
    for (let row = 0; row < rowCount; row++) {
      const until = rowStart[row + 1]!;
      const low = lowerBound(indices, rowStart[row]!, until, firstGene);
      const high = lowerBound(indices, low, until, endGene);
      lows[row] = low;
      highs[row] = high;
      // Without the sign: -0 is no value either.
      for (let i = low; i < high; i++) if (bits[i]! << 1 !== 0) ends[indices[i]! + 1]!++;
    }
    for (let gene = firstGene; gene < endGene; gene++) ends[gene + 1]! += ends[gene]!;
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

  #copyRuns({ firstGene, endGene, cells, valueBits }: ScatterTask, next: Uint32Array): void {
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
}

/** First place in the rising [from, to) that is not below `value`; `to` where all are. */
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
