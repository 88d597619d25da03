import { ChunkBuffer } from './chunk-buffer.ts';

/** Sizes are powers of two from here on, so that a buffer fits the next read of about the same size. */
const leastSize = 1 << 18;

/**
 * Buffers that are used again and again: memory that is new costs more to touch than to read a file into. Bounded by
 * what is kept while nobody uses it; of that, what was used longest ago goes first.
 */
export class ChunkBuffers {
  readonly #limit: number;
  /** In order of last use. */
  #idle: ChunkBuffer[] = [];

  /** @param limit bytes of buffers kept for later */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes kept for later. */
  get idleBytes(): number {
    return this.#idle.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** A buffer of at least so many bytes, whose content is undefined, until `use` ends. */
  async using<T>(size: number, use: (buffer: ChunkBuffer) => Promise<T>): Promise<T> {
    const buffer = this.#take(size);
    try {
      return await use(buffer);
    } finally {
      this.#idle.push(buffer);
      while (this.idleBytes > this.#limit) this.#idle.shift();
    }
  }

  #take(size: number): ChunkBuffer {
    let wanted = leastSize;
    while (wanted < size) wanted *= 2;
    const at = this.#idle.findLastIndex(({ bytes }) => bytes.length === wanted);
    return at < 0 ? new ChunkBuffer(wanted) : this.#idle.splice(at, 1)[0]!;
  }
}
