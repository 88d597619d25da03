/** Some rows of a cell-major matrix in memory; the arrays are used again for the next ones. */
export class RowSlice {
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
