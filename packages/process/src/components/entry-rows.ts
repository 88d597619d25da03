/** A sparse cells x genes matrix, cell after cell, in shared memory. */
export interface EntryRows {
  cellCount: number;
  geneCount: number;
  /** cellCount + 1 rising entry positions, starting with 0. */
  pointers: Float64Array;
  /** Two words per entry: its value, a float32, and its gene; genes rise within a cell. */
  words: Uint32Array;
  /** View of the same memory: element 2 i is the value of entry i. */
  values: Float32Array;
}

export function entryMemory(entries: number): Pick<EntryRows, 'words' | 'values'> {
  const memory = new SharedArrayBuffer(8 * entries);
  return { words: new Uint32Array(memory), values: new Float32Array(memory) };
}

/** Entries processed at once, to fit the processor's cache. */
const entriesAtOnce = 1 << 17;
const cellsAtOnce = 1 << 13;

export function partBytes({ geneCount }: EntryRows): number {
  return 8 * (entriesAtOnce + geneCount) + 4 * cellsAtOnce;
}

export const maxOfPart = cellsAtOnce;

/** Part of the cells in a kernel's memory; all numbers are addresses. */
export interface TakenPart {
  cells: number;
  entries: number;
  /** Array of the ends of each cell's entries: begins at `ends`, and ends at `last`. */
  ends: number;
  last: number;
}

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
