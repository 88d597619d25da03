import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { registry } from 'zarrita';

/**
 * Level 1 costs least time, and the frame's own checksum lets every read notice a flipped bit.
 * Goes into the metadata of every plain array, as the codec's configuration.
 */
export const zstdConfiguration = { level: 1, checksum: true } as const;

const params = {
  [constants.ZSTD_c_compressionLevel]: zstdConfiguration.level,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Name under which zarrita knows the codec below; in a file it is `zstd`. */
const codecName = 'cellfolio-zstd';

/** The codec of plain chunks for zarrita, each of `size` bytes where that is known. */
export function zstdCodec(size: number | undefined) {
  return { name: codecName, configuration: { size } };
}

/**
 * Zstandard of Node, on the libuv pool: that of zarrita is WebAssembly on the thread that asks, and does not bound what
 * a damaged frame may decode to.
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

/** The bytes of a frame. Throws where the frame is broken or, with `size`, decodes to another size. */
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
