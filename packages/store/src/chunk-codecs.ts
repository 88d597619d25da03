import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { PackedStrings } from '@cellfolio/model';
import { registry } from 'zarrita';

/**
 * Level 1 is the fastest, and the frame's own checksum lets every read notice a flipped bit. Stored in the metadata of
 * every plain array, as the codec's configuration.
 */
export const zstdConfiguration = { level: 1, checksum: true } as const;

const params = {
  [constants.ZSTD_c_compressionLevel]: zstdConfiguration.level,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Name of the codec below in zarrita; in a file it is `zstd`. */
const codecName = 'cellfolio-zstd';

/** Codec of plain chunks for zarrita; `size` is the decoded size of each, if known. */
export function zstdCodec(size: number | undefined) {
  return { name: codecName, configuration: { size } };
}

/**
 * Node's Zstandard, on the libuv pool: zarrita's is WebAssembly on the calling thread, and does not limit the decoded
 * size of a damaged frame.
 */
registry.set(codecName, async () => ({
  fromConfig: (configuration) => {
    const { size } = configuration as { size?: number };
    return {
      kind: 'bytes_to_bytes',
      encode: compressed,
      decode: (frame: Uint8Array) => decompressed(frame, size),
    };
  },
}));

/** Compresses into one frame on the libuv pool, off the JavaScript thread. */
export function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zstdCompress(
      bytes,
      {
        params,
        // Room for the worst case in one output buffer: each further one costs a turn through the pool.
        chunkSize: Math.max(1024, bytes.length + (bytes.length >> 7) + 512),
        // Writes the content size into the frame, which some readers insist on.
        pledgedSrcSize: bytes.length,
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
  });
}

/** Throws if the frame is broken or, with `size`, decodes to another size. */
function decompressed(frame: Uint8Array, size?: number): Promise<Uint8Array> {
  const options =
    size === undefined ? {} : { chunkSize: Math.max(64, size), maxOutputLength: Math.max(1, size) };
  return new Promise((resolve, reject) => {
    zstdDecompress(frame, options, (error, result) => {
      if (error) reject(error);
      else if (size !== undefined && result.length !== size) {
        reject(new Error(`expected ${size} bytes, found ${result.length}`));
      } else resolve(result);
    });
  });
}

/**
 * Rows `from` to `to` in the `vlen-utf8` form: a count, then each string after its length in bytes, all 32-bit
 * little-endian. Padded with empty strings to `padTo` rows.
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

/** `rows` strings from chunks in the `vlen-utf8` form, after the first `skipped`. Throws if a chunk is truncated. */
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
