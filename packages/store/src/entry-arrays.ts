/** Cells and values of the entries of a block. */
export interface EntryArrays {
  readonly cells: Int32Array;
  readonly values: Float32Array;
}

/** Entries of the largest arrays that are kept: those of the usual blocks, and of a gene of four million cells. */
const keptEntries = 1 << 22;
/** A block is read while another one is worked on. */
const keptPairs = 2;

const idle: EntryArrays[] = [];

/**
 * Arrays of `count` entries, whose content is undefined, until `use` ends. They are used again: memory that is new
 * costs as much to touch as what is then done with it.
 */
export async function withEntryArrays<T>(
  count: number,
  use: (arrays: EntryArrays) => Promise<T>,
): Promise<T> {
  let arrays = idle.pop();
  if (!arrays || arrays.cells.length < count) {
    // Some room, so that the next block, of about as many entries, fits too.
    const room = Math.ceil(count * 1.125);
    arrays = { cells: new Int32Array(room), values: new Float32Array(room) };
  }
  try {
    return await use({ cells: arrays.cells.subarray(0, count), values: arrays.values.subarray(0, count) });
  } finally {
    if (idle.length < keptPairs && arrays.cells.length <= keptEntries) idle.push(arrays);
  }
}
