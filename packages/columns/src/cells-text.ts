import { bitBytes, ColumnFormatError } from './map-column.ts';

/** First byte of an encoded selection: format of the rest. */
const asRuns = 0;
const asBits = 1;

/**
 * Encodes a selection of cells as base64url: alternating run lengths of cells outside and inside as LEB128 integers, or
 * one bit per cell if that is shorter, so that a selection of n cells has at most n / 6 + 4 characters. `bits`: one per
 * cell, least significant bit of a byte first.
 */
export function encodeCells(bits: Uint8Array, cells: number): string {
  const maxBytes = bitBytes(cells);
  // The last run may begin below the limit and end above it.
  const runs = new Uint8Array(maxBytes + 8);
  let [at, from, inside] = [0, 0, 0];
  const put = (length: number) => {
    let left = length;
    for (; left >= 128; left >>>= 7) runs[at++] = (left & 127) | 128;
    runs[at++] = left;
  };
  for (let cell = 0; cell < cells; cell++) {
    if (((bits[cell >> 3]! >> (cell & 7)) & 1) === inside) continue;
    put(cell - from);
    if (at >= maxBytes) break;
    from = cell;
    inside ^= 1;
  }
  if (inside === 1 && at < maxBytes) put(cells - from);
  if (at < maxBytes || cells === 0) return textOf(asRuns, runs.subarray(0, at));
  const whole = bits.slice(0, maxBytes);
  if (cells % 8 > 0) whole[maxBytes - 1]! &= (1 << (cells % 8)) - 1;
  return textOf(asBits, whole);
}

/**
 * Decodes the bits of `encodeCells`. Throws ColumnFormatError for a text that is not a selection of that many cells.
 */
export function decodeCells(text: string, cells: number): Uint8Array {
  const all = bytesOf(text);
  const [kind] = all;
  const bytes = all.subarray(1);
  if (kind === asRuns) return bitsOfRuns(bytes, cells);
  if (kind !== asBits) throw new ColumnFormatError('A selection begins with the byte 0 or 1.');
  const isOfThese = bytes.length === bitBytes(cells);
  if (!isOfThese || (cells % 8 > 0 && bytes.at(-1)! >> (cells % 8) !== 0)) {
    throw new ColumnFormatError(`A selection of ${cells} cells has a bit for each of them.`);
  }
  return bytes;
}

function bitsOfRuns(bytes: Uint8Array, cells: number): Uint8Array {
  const bits = new Uint8Array(bitBytes(cells));
  let cell = 0;
  let isInside = false;
  for (let at = 0; at < bytes.length; isInside = !isInside) {
    const first = at === 0;
    let length = 0;
    let byte = 128;
    for (let factor = 1; byte >= 128; factor *= 128) {
      // Four bytes hold 268 million cells.
      if (at === bytes.length || factor > 2 ** 28) throw new ColumnFormatError('A run of cells is cut off.');
      byte = bytes[at++]!;
      length += (byte & 127) * factor;
    }
    if (length === 0 && !first) throw new ColumnFormatError('A run of cells is empty.');
    const end = cell + length;
    if (end > cells) throw new ColumnFormatError(`A run ends at cell ${end} of ${cells}.`);
    if (isInside) mark(bits, cell, end);
    cell = end;
  }
  return bits;
}

function mark(bits: Uint8Array, from: number, end: number): void {
  let cell = from;
  for (; cell < end && (cell & 7) !== 0; cell++) bits[cell >> 3]! |= 1 << (cell & 7);
  for (; cell + 8 <= end; cell += 8) bits[cell >> 3] = 255;
  for (; cell < end; cell++) bits[cell >> 3]! |= 1 << (cell & 7);
}

function textOf(kind: number, bytes: Uint8Array): string {
  let binary = String.fromCharCode(kind);
  // In parts: a call takes some ten thousand arguments.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array {
  // A remainder of one character is of no byte.
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) {
    throw new ColumnFormatError('A selection is written in base64url.');
  }
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
