import type { Embedding } from '@cellfolio/model';

/**
 * The row of the file at each place of the map: by the Morton code (bits of x and y by turns, x in the even ones) of the
 * cells' positions on a grid of 65,536 × 65,536 with one step for both axes; ties by row. Cells without a position
 * come last, and an embedding of one dimension has y = 0 everywhere.
 */
export function mapOrder({ values, dimensions }: Pick<Embedding, 'values' | 'dimensions'>): Uint32Array {
  const cells = values.length / dimensions;
  const second = dimensions > 1 ? 1 : 0;
  let [lowX, lowY, highX, highY] = [Infinity, Infinity, -Infinity, -Infinity];
  const isMissing = new Uint8Array(cells);
  let found = 0;
  for (let row = 0; row < cells; row++) {
    const x = values[row * dimensions]!;
    const y = second * values[row * dimensions + second]!;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      isMissing[row] = 1;
      continue;
    }
    found++;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
  }
  // Where all cells are at one point any step will do.
  const step = Math.max(highX - lowX, highY - lowY) / 65_535 || 1;
  const codes = new Uint32Array(found);
  const rows = new Uint32Array(cells);
  let [at, end] = [0, found];
  for (let row = 0; row < cells; row++) {
    if (isMissing[row] === 1) {
      rows[end++] = row;
      continue;
    }
    const x = Math.round((values[row * dimensions]! - lowX) / step);
    const y = Math.round((second * values[row * dimensions + second]! - lowY) / step);
    codes[at] = spread(x) | (spread(y) << 1);
    rows[at++] = row;
  }
  sortByCode(rows.subarray(0, found), codes);
  return rows;
}

/** The 16 bits of a number in the even bits of 32. */
function spread(value: number): number {
  let bits = value;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** Sorts rows by their codes, those of equal codes as they are: two passes of counting, 16 bits each. */
function sortByCode(rows: Uint32Array, codes: Uint32Array): void {
  const otherRows = new Uint32Array(rows.length);
  const otherCodes = new Uint32Array(rows.length);
  pass({ rows, codes }, { rows: otherRows, codes: otherCodes }, 0);
  pass({ rows: otherRows, codes: otherCodes }, { rows, codes }, 16);
}

interface CodedRows {
  readonly rows: Uint32Array;
  readonly codes: Uint32Array;
}

function pass(from: CodedRows, to: CodedRows, shift: number): void {
  const starts = new Uint32Array(65_537);
  for (let i = 0; i < from.codes.length; i++) starts[((from.codes[i]! >>> shift) & 0xffff) + 1]!++;
  for (let digit = 0; digit < 65_536; digit++) starts[digit + 1]! += starts[digit]!;
  for (let i = 0; i < from.codes.length; i++) {
    const code = from.codes[i]!;
    const place = starts[(code >>> shift) & 0xffff]!++;
    to.rows[place] = from.rows[i]!;
    to.codes[place] = code;
  }
}
