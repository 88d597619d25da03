import { type CellMask, type NumericArray, type PackedStrings, type WideIntegers } from '@cellfolio/model';
import { rowsPerHeap } from '@cellfolio/ingest/parts-of-h5ad';

/** A range of chosen cells: rows of the file, and the range of dataset cells that contains them. */
export interface RowRange {
  row: number;
  rows: number;
  from: number;
  to: number;
}

export class ChosenRows {
  readonly count: number;
  readonly #cellCount: number;
  /** Cell of every 4,096th row, and the end; absent when all cells are chosen. */
  readonly #cells: Int32Array | undefined;

  constructor(mask: CellMask | undefined, cellCount: number) {
    this.#cellCount = cellCount;
    this.count = mask?.count ?? cellCount;
    if (!mask) return;
    const cells = new Int32Array(Math.ceil(mask.count / rowsPerHeap) + 1).fill(cellCount);
    for (let cell = 0, row = 0; cell < cellCount; cell++) {
      if (mask.bits[cell] !== 1) continue;
      if (row % rowsPerHeap === 0) cells[row / rowsPerHeap] = cell;
      row++;
    }
    this.#cells = cells;
  }

  /** All rows in ranges of at most `maxRows`, each of which begins a heap of strings. */
  ranges(maxRows: number): RowRange[] {
    const step = Math.max(1, Math.floor(maxRows / rowsPerHeap)) * rowsPerHeap;
    const ranges: RowRange[] = [];
    for (let row = 0; row < this.count; row += step) {
      const end = Math.min(this.count, row + step);
      const to = end === this.count ? this.#cellCount : this.#cellAt(end);
      ranges.push({ row, rows: end - row, from: this.#cellAt(row), to });
    }
    return ranges;
  }

  #cellAt(row: number): number {
    return this.#cells ? this.#cells[row / rowsPerHeap]! : row;
  }
}

/** The bytes of the cells [from, to) in a mask; undefined when all are chosen. */
export function bitsOf(
  mask: CellMask | undefined,
  { from, to }: Pick<RowRange, 'from' | 'to'>,
): Uint8Array | undefined {
  return mask?.bits.subarray(from, to);
}

export function chosenValues<T extends NumericArray | WideIntegers>(
  values: T,
  bits: Uint8Array | undefined,
  width = 1,
): T {
  if (!bits) return values;
  let end = 0;
  const out = values.slice();
  for (let row = 0; row < bits.length; row++) {
    if (bits[row] !== 1) continue;
    for (let i = 0; i < width; i++) out[end++] = values[row * width + i]!;
  }
  return out.subarray(0, end) as T;
}

export function chosenStrings(strings: PackedStrings, bits: Uint8Array | undefined): PackedStrings {
  if (!bits) return strings;
  const offsets = new Uint32Array(bits.length + 1);
  const bytes = new Uint8Array(strings.bytes.length);
  let rows = 0;
  for (let row = 0; row < bits.length; row++) {
    if (bits[row] !== 1) continue;
    const text = strings.bytes.subarray(strings.offsets[row], strings.offsets[row + 1]);
    bytes.set(text, offsets[rows]);
    offsets[rows + 1] = offsets[rows]! + text.length;
    rows++;
  }
  return { bytes: bytes.subarray(0, offsets[rows]), offsets: offsets.subarray(0, rows + 1) };
}
