import type { NumericArray, PackedStrings, WideIntegers } from '@cellfolio/model';
import { crc32c } from './crc32c.ts';

const pieceBytes = 1 << 18;

export function numbersChecksum(values: NumericArray | WideIntegers): number {
  if (!(values instanceof Float32Array || values instanceof Float64Array))
    return bytesChecksum(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  const step = pieceBytes / values.BYTES_PER_ELEMENT;
  let sum = 0;
  for (let at = 0; at < values.length; at += step) {
    const piece = values.slice(at, at + step);
    // NaN has many forms, and copies of one may be another.
    for (let i = 0; i < piece.length; i++) if (piece[i] !== piece[i]) piece[i] = NaN;
    sum = joined(sum, crc32c(new Uint8Array(piece.buffer)));
  }
  return sum;
}

export function stringsChecksum({ offsets, bytes }: PackedStrings): number {
  const [start = 0] = offsets;
  const ends = start === 0 ? offsets : offsets.map((at) => at - start);
  const ofEnds = bytesChecksum(new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength));
  return joined(ofEnds, bytesChecksum(bytes.subarray(start, offsets[offsets.length - 1])));
}

function bytesChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    sum = joined(sum, crc32c(bytes.subarray(at, at + pieceBytes)));
  return sum;
}

/** Order-dependent combination of two checksums. */
function joined(one: number, other: number): number {
  return (Math.imul(one ^ other, 0x0100_0193) ^ (one >>> 15)) >>> 0;
}
