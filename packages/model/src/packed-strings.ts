import type { PackedStrings } from './column.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Packs n strings into one UTF-8 buffer. */
export function packStrings(strings: readonly string[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  let bytes: Uint8Array = new Uint8Array(Math.max(64, strings.length * 12));
  let end = 0;
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i] ?? '';
    // A UTF-16 unit takes at most three UTF-8 bytes.
    if (end + text.length * 3 > bytes.length) bytes = grown(bytes, end + text.length * 3);
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
    offsets[i + 1] = end;
  }
  return { bytes: bytes.slice(0, end), offsets };
}

/** The string of one row. Throws RangeError outside 0 .. n - 1. */
export function stringAt(strings: PackedStrings, row: number): string {
  const start = strings.offsets[row];
  const end = strings.offsets[row + 1];
  if (start === undefined || end === undefined) throw new RangeError(`row ${row} is outside the column`);
  return decoder.decode(strings.bytes.subarray(start, end));
}

/** All n strings. For genes and categories; cells are better read one by one. */
export function unpackStrings(strings: PackedStrings): string[] {
  const rows = strings.offsets.length - 1;
  const out = new Array<string>(rows);
  for (let i = 0; i < rows; i++) out[i] = stringAt(strings, i);
  return out;
}

function grown(bytes: Uint8Array, atLeast: number): Uint8Array {
  const larger = new Uint8Array(Math.max(atLeast, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
