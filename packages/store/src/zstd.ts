import { constants, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';

/**
 * Level 1 costs least time, and the frame's own checksum lets every read notice a flipped bit.
 * Goes into the metadata of every plain array, as the codec's configuration.
 */
export const zstdConfiguration = { level: 1, checksum: true } as const;

/**
 * For the entries of a matrix, which every analysis reads by the hundred million. At level 1 they shrink by a third
 * to a half and take six to eight times as long to decode as here, where frames are little more than the bytes with
 * their checksum: a third more disk for the speed of memory.
 */
export const fastZstdConfiguration = { level: -100, checksum: true } as const;

const parametersOf = ({ level }: { level: number }) => ({
  [constants.ZSTD_c_compressionLevel]: level,
  [constants.ZSTD_c_checksumFlag]: 1,
});

export const zstdParameters = parametersOf(zstdConfiguration);
export const fastZstdParameters = parametersOf(fastZstdConfiguration);

/** Compresses into one frame on the libuv pool, off the JavaScript thread. */
export function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zstdCompress(
      bytes,
      {
        params: zstdParameters,
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
export function decompressed(frame: Uint8Array, size?: number): Promise<Uint8Array> {
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
 * The bytes of a frame of known size, decoded on the calling thread: two to three times the values a second of
 * `decompressed`, whose way through the libuv pool costs more than a frame of 128 kB. For threads that only compute.
 */
export function decompressedHere(frame: Uint8Array, size: number): Uint8Array {
  // A buffer filled to the brim makes zlib allocate another one to look for more: leave a little room.
  const result = zstdDecompressSync(frame, {
    chunkSize: Math.max(64, size + 64),
    maxOutputLength: Math.max(1, size),
  });
  if (result.length !== size) throw new Error(`expected ${size} bytes, found ${result.length}`);
  return result;
}
