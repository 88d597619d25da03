import type { PackedStrings } from '@cellfolio/model';

/**
 * Rows `from` to `to` in the `vlen-utf8` form: a count, then each string behind its length in bytes, all
 * 32-bit little-endian. Empty strings follow up to `padTo` rows.
 */
export function stringBytes(strings: PackedStrings, from: number, to: number, padTo: number): Uint8Array {
  const { bytes, offsets } = strings;
  const textLength = offsets[to]! - offsets[from]!;
  const out = new Uint8Array(4 + 4 * padTo + textLength);
  const view = new DataView(out.buffer);
  view.setUint32(0, padTo, true);
  let at = 4;
  for (let row = from; row < to; row++) {
    const start = offsets[row]!;
    const end = offsets[row + 1]!;
    view.setUint32(at, end - start, true);
    at += 4;
    // A loop beats subarray + set for the few bytes of a barcode.
    for (let i = start; i < end; i++) out[at++] = bytes[i]!;
  }
  return out;
}

/** `rows` strings of chunks in the `vlen-utf8` form, behind the first `skipped`. Throws where a chunk is cut short. */
export function stringsFromBytes(chunks: readonly Uint8Array[], rows: number, skipped = 0): PackedStrings {
  const offsets = new Uint32Array(rows + 1);
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const text = new Uint8Array(total);
  let row = -skipped;
  let end = 0;
  for (const chunk of chunks) {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    const count = view.getUint32(0, true);
    let at = 4;
    for (let i = 0; i < count && row < rows; i++) {
      const length = view.getUint32(at, true);
      at += 4;
      if (at + length > chunk.length) throw new Error('a string leaves its chunk');
      if (row < 0) at += length;
      else for (let k = 0; k < length; k++) text[end++] = chunk[at++]!;
      // Below row 0, and before its text, there is nothing to note.
      if (++row > 0) offsets[row] = end;
    }
  }
  if (row < rows) throw new Error(`expected ${rows} strings, found ${row}`);
  return { bytes: text.slice(0, end), offsets };
}
