import type { SparseBlock } from '../write-h5ad/h5ad-content.ts';
import type { Entries, MatrixMarketHeader } from './parse-matrix-market.ts';
import { TextFileError } from './read-text.ts';

export type Orientation = 'features-by-cells' | 'cells-by-features';

export interface EntriesOfFile {
  path: string;
  entries: () => AsyncIterable<Omit<Entries, 'header'>>;
  /** Whether several counts of a gene in a cell are added up; else they are refused. */
  adds?: boolean;
}

export interface MatrixSurvey {
  cellCount: number;
  geneCount: number;
  entriesOfCell: Uint32Array;
  entryCount: number;
  /** Whether cell indices never decrease from one entry to the next. */
  inCellOrder: boolean;
  greatestCount: number;
}

/** Maximum entries per block of cells, unless a single cell has more. */
const blockEntries = 4_194_304;
/** Maximum entries gathered per pass over a file with unordered cells. */
const gatheredEntries = 33_554_432;

/** Reads all entries once. Throws TextFileError. */
export async function surveyMatrix(
  entries: AsyncIterable<Entries>,
  orientation: Orientation,
): Promise<MatrixSurvey> {
  let header: MatrixMarketHeader | undefined;
  let entriesOfCell = new Uint32Array(0);
  let inCellOrder = true;
  let last = 0;
  let entryCount = 0;
  let greatestCount = 0;
  for await (const batch of entries) {
    if (header === undefined) {
      ({ header } = batch);
      entriesOfCell = new Uint32Array(sizesOf(header, orientation).cellCount);
    }
    const { cells, values, count } = turned(batch, orientation);
    for (let at = 0; at < count; at++) {
      const cell = cells[at]!;
      const value = values[at]!;
      if (value === 0) continue;
      if (cell < last) inCellOrder = false;
      last = cell;
      entriesOfCell[cell]!++;
      entryCount++;
      if (value > greatestCount) greatestCount = value;
    }
  }
  // A file without a header is refused above.
  const parsedHeader = header!;
  return {
    ...sizesOf(parsedHeader, orientation),
    entriesOfCell,
    entryCount,
    inCellOrder,
    greatestCount,
  };
}

/**
 * Blocks of whole cells in order, with ascending genes in each. Reads the file once if its cells are in order (as Cell
 * Ranger writes them), else once per thirty million entries, so that memory is bounded either way. Throws TextFileError
 * if a gene occurs twice in a cell.
 */
export async function* cellBlocks(
  file: EntriesOfFile,
  orientation: Orientation,
  survey: MatrixSurvey,
): AsyncGenerator<SparseBlock> {
  const { entries: read } = file;
  const ranges = cellRanges(survey.entriesOfCell, survey.inCellOrder ? blockEntries : gatheredEntries);
  if (!survey.inCellOrder) {
    for (const range of ranges) {
      const block = new BlockOfCells(file, survey, range);
      for await (const batch of read()) block.takeFrom(turned(batch, orientation));
      yield block.finish();
    }
    return;
  }
  let number = 0;
  let block = new BlockOfCells(file, survey, ranges[0]!);
  for await (const batch of read()) {
    const entries = turned(batch, orientation);
    // An entry past this block's cells means that the block is whole.
    for (let from = 0; from < entries.count;) {
      from = block.takeFrom(entries, from);
      if (from < entries.count) {
        yield block.finish();
        block = new BlockOfCells(file, survey, ranges[++number]!);
      }
    }
  }
  yield block.finish();
  for (const range of ranges.slice(number + 1)) yield new BlockOfCells(file, survey, range).finish();
}

interface CellEntries {
  count: number;
  cells: Int32Array;
  genes: Int32Array;
  values: Float64Array;
}

function turned(
  { count, rows, columns, values }: Omit<Entries, 'header'>,
  orientation: Orientation,
): CellEntries {
  return orientation === 'features-by-cells'
    ? { count, cells: columns, genes: rows, values }
    : { count, cells: rows, genes: columns, values };
}

function sizesOf({ rows, columns }: MatrixMarketHeader, orientation: Orientation) {
  return orientation === 'features-by-cells'
    ? { cellCount: columns, geneCount: rows }
    : { cellCount: rows, geneCount: columns };
}

interface CellRange {
  start: number;
  /** Exclusive. */
  end: number;
  entries: number;
}

function cellRanges(entriesOfCell: Uint32Array, maxEntries: number): CellRange[] {
  const ranges: CellRange[] = [];
  let start = 0;
  let entries = 0;
  for (let cell = 0; cell < entriesOfCell.length; cell++) {
    if (cell > start && entries + entriesOfCell[cell]! > maxEntries) {
      ranges.push({ start, end: cell, entries });
      start = cell;
      entries = 0;
    }
    entries += entriesOfCell[cell]!;
  }
  return [...ranges, { start, end: entriesOfCell.length, entries }];
}

class BlockOfCells {
  readonly #path: string;
  readonly #adds: boolean;
  readonly #range: CellRange;
  readonly #indptr: Float64Array;
  readonly #next: Float64Array;
  readonly #indices: Int32Array;
  readonly #values: Float64Array;

  constructor({ path, adds = false }: EntriesOfFile, { entriesOfCell }: MatrixSurvey, range: CellRange) {
    this.#path = path;
    this.#adds = adds;
    this.#range = range;
    this.#indptr = new Float64Array(range.end - range.start + 1);
    for (let cell = range.start; cell < range.end; cell++) {
      const at = cell - range.start;
      this.#indptr[at + 1] = this.#indptr[at]! + entriesOfCell[cell]!;
    }
    this.#next = this.#indptr.slice();
    this.#indices = new Int32Array(range.entries);
    this.#values = new Float64Array(range.entries);
  }

  /** Takes the entries of these cells. Returns the position of the first entry of a later cell, or the count. */
  takeFrom({ count, cells, genes, values }: CellEntries, from = 0): number {
    const { start, end } = this.#range;
    let later = count;
    for (let at = from; at < count; at++) {
      const cell = cells[at]!;
      if (values[at] === 0 || cell < start) continue;
      if (cell >= end) {
        if (later === count) later = at;
        continue;
      }
      const to = this.#next[cell - start]!++;
      this.#indices[to] = genes[at]!;
      this.#values[to] = values[at]!;
    }
    return later;
  }

  /** Throws TextFileError if a gene occurs twice in a cell, unless its counts are added up. */
  finish(): SparseBlock {
    for (let cell = 0; cell + 1 < this.#indptr.length; cell++) this.#sort(cell);
    if (this.#adds) return this.#added();
    return { indptr: this.#indptr, indices: this.#indices, values: this.#values };
  }

  #added(): SparseBlock {
    const [indices, values] = [this.#indices, this.#values];
    const indptr = new Float64Array(this.#indptr.length);
    let to = 0;
    for (let cell = 0; cell + 1 < indptr.length; cell++) {
      const start = to;
      for (let at = this.#indptr[cell]!; at < this.#indptr[cell + 1]!; at++) {
        if (to > start && indices[to - 1] === indices[at]) {
          values[to - 1]! += values[at]!;
          continue;
        }
        indices[to] = indices[at]!;
        values[to++] = values[at]!;
      }
      indptr[cell + 1] = to;
    }
    return { indptr, indices: indices.subarray(0, to), values: values.subarray(0, to) };
  }

  #sort(cell: number): void {
    const start = this.#indptr[cell]!;
    const end = this.#indptr[cell + 1]!;
    const indices = this.#indices.subarray(start, end);
    if (rising(indices)) return;
    const order = Int32Array.from(indices, (_, at) => at).sort((a, b) => indices[a]! - indices[b]!);
    const values = this.#values.subarray(start, end);
    indices.set(Int32Array.from(order, (at) => indices[at]!));
    values.set(Float64Array.from(order, (at) => values[at]!));
    if (this.#adds) return;
    for (let at = 1; at < indices.length; at++) {
      if (indices[at] === indices[at - 1]) {
        throw new TextFileError({
          code: 'repeated',
          path: this.#path,
          problem: `gives two counts for feature ${indices[at]! + 1} of cell ${this.#range.start + cell + 1}; each may be given once.`,
        });
      }
    }
  }
}

function rising(values: Int32Array): boolean {
  for (let at = 1; at < values.length; at++) if (values[at]! <= values[at - 1]!) return false;
  return true;
}
