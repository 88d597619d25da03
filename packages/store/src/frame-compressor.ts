import type { ZstdCompress } from 'node:zlib';
import { constants, createZstdCompress } from 'node:zlib';
import { fastZstdParameters } from './zstd.ts';

/** As many as the libuv pool has threads. */
const laneCount = 4;
/** Several frames share one output buffer; a new one is made when it is full. */
const outputSize = 1 << 20;

/**
 * Compresses many pieces, each into a frame of its own, on the libuv pool. Its contexts are used again
 * and again: making one for each piece costs as much as compressing 128 kB.
 */
export class FrameCompressor {
  readonly #free: Lane[] = Array.from({ length: laneCount }, () => new Lane());
  readonly #waiting: ((lane: Lane) => void)[] = [];

  /** The frame of some bytes, which must not change until it is there. */
  async compress(bytes: Uint8Array): Promise<Uint8Array> {
    const lane = this.#free.pop() ?? (await new Promise<Lane>((resolve) => this.#waiting.push(resolve)));
    try {
      return await lane.compress(bytes);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#free.push(lane);
    }
  }

  /** Frees the contexts of the lanes that are at rest. */
  close(): void {
    for (const lane of this.#free) lane.close();
  }
}

/** One context, one piece at a time. */
class Lane {
  readonly #stream: ZstdCompress;
  #parts: Uint8Array[] = [];

  constructor() {
    // With ZSTD_e_end each write is a whole frame and, its length being known, the frame tells its size.
    this.#stream = createZstdCompress({
      flush: constants.ZSTD_e_end,
      chunkSize: outputSize,
      params: fastZstdParameters,
    });
    this.#stream.on('data', (part: Uint8Array) => this.#parts.push(part));
    // Each write reports its own failure.
    this.#stream.on('error', () => undefined);
  }

  compress(bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#stream.write(bytes, (error) => {
        const parts = this.#parts;
        this.#parts = [];
        if (error) reject(error);
        else resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
      });
    });
  }

  close(): void {
    this.#stream.close();
  }
}
