/** A sparse matrix of cells x genes, cell after cell, in memory that threads share. */
export interface EntryRows {
  readonly cellCount: number;
  readonly geneCount: number;
  /** cellCount + 1 rising numbers of entries, the first of them 0. */
  readonly pointers: Float64Array;
  /** Two words for each entry: its value, a float32, and its gene; genes rise within a cell. */
  readonly words: Uint32Array;
  /** The same memory: of entry i number 2 i is its value. */
  readonly values: Float32Array;
}

export function entryMemory(entries: number): Pick<EntryRows, 'words' | 'values'> {
  const memory = new SharedArrayBuffer(8 * entries);
  return { words: new Uint32Array(memory), values: new Float32Array(memory) };
}

/** Cells that are taken at once: their entries stay in the processor's cache. */
const entriesAtOnce = 1 << 17;
const cellsAtOnce = 1 << 13;

/** Bytes that `takePart` needs in the memory of a kernel, whatever part it is. */
export function partBytes({ geneCount }: EntryRows): number {
  return 8 * (entriesAtOnce + geneCount) + 4 * cellsAtOnce;
}

/** The most cells that a part has. */
export const maxOfPart = cellsAtOnce;

/** A part of the cells in the memory of a kernel; all are addresses. */
export interface TakenPart {
  readonly cells: number;
  readonly entries: number;
  /** Where the entries of each cell end begins at `ends`, and ends at `last`. */
  readonly ends: number;
  readonly last: number;
}

/** Copies cells from `first` on into the memory of a kernel, from the address `at`, a multiple of 8, on. */
export function takePart(rows: EntryRows, first: number, memory: ArrayBufferLike, at: number): TakenPart {
  const { cellCount, geneCount, pointers, words } = rows;
  const begin = pointers[first]!;
  const ends = at + 8 * (entriesAtOnce + geneCount);
  const endOf = new Int32Array(memory, ends, cellsAtOnce);
  let cells = 0;
  for (; cells < cellsAtOnce && first + cells < cellCount; cells++) {
    const entries = pointers[first + cells + 1]! - begin;
    if (cells > 0 && entries > entriesAtOnce) break;
    endOf[cells] = at + 8 * entries;
  }
  const end = pointers[first + cells]!;
  new Uint32Array(memory, at, 2 * (end - begin)).set(words.subarray(2 * begin, 2 * end));
  return { cells, entries: at, ends, last: ends + 4 * cells };
}
