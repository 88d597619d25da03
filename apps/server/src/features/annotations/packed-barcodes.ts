import { gunzipSync, gzipSync } from 'node:zlib';
import type { PackedStrings } from '@cellfolio/model';

/** Gzip of n, n + 1 offsets and the bytes of the texts. */
export function packBarcodes({ offsets, bytes }: PackedStrings): Uint8Array {
  const count = Uint32Array.of(offsets.length - 1);
  return gzipSync(
    Buffer.concat(
      [count, offsets, bytes].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    ),
  );
}

export function unpackBarcodes(packed: Uint8Array): PackedStrings {
  const { buffer, byteOffset, byteLength } = gunzipSync(packed);
  const bytes = new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
  const [count = 0] = new Uint32Array(bytes.buffer, 0, 1);
  const start = 4 * (count + 2);
  return { offsets: new Uint32Array(bytes.buffer, 4, count + 1), bytes: bytes.subarray(start) };
}
