import { fixedMemory, type WasmMemory } from '@cellfolio/kernels';
import { Crc32c, crc32c, scratchBytes } from './crc32c.ts';

/** Set once the engine refuses memory: each refusal takes it a tenth of a second. */
let isScarce = false;

function scarceMemory(size: number): WasmMemory {
  if (isScarce) throw new RangeError('there was no memory for WebAssembly before');
  try {
    return fixedMemory(size);
  } catch (error) {
    isScarce = true;
    throw error;
  }
}

/**
 * WebAssembly memory into which inner chunks are read and in which they are checked, without a copy. The engine
 * reserves gigabytes of addresses around each; if they are limited (`ulimit -v`), plain memory is used, and bytes are
 * copied for the check.
 */
export class ChunkBuffer {
  readonly bytes: Uint8Array;
  readonly #crc: Crc32c | undefined;

  /** Capacity in bytes. Unwritten memory is not allocated. */
  constructor(size: number, memoryOf = scarceMemory) {
    try {
      const memory = memoryOf(size + scratchBytes);
      this.#crc = new Crc32c(memory, size);
      this.bytes = new Uint8Array(memory.buffer, 0, size);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.bytes = new Uint8Array(size);
    }
  }

  /**
   * The `size` bytes of an inner chunk at an offset, followed by its CRC-32C (Zarr v3 codec `crc32c`). Throws Error on
   * a mismatch, RangeError outside the buffer.
   */
  content(at: number, size: number): Uint8Array {
    const { bytes } = this;
    const end = at + size;
    if (!(at >= 0 && size >= 0 && end + checksumBytes <= bytes.length)) {
      throw new RangeError(`bytes ${at} to ${end} are outside a buffer of ${bytes.length}`);
    }
    const content = bytes.subarray(at, end);
    const sum = this.#crc ? this.#crc.of(at, size) : crc32c(content);
    const stored = bytes[end]! | (bytes[end + 1]! << 8) | (bytes[end + 2]! << 16) | (bytes[end + 3]! << 24);
    if (sum !== stored >>> 0) throw new Error('its checksum does not fit');
    return content;
  }
}

export const checksumBytes = 4;

/** Sizes are powers of two from here on, so that a buffer fits the next read of about the same size. */
const minSize = 1 << 18;

/**
 * Reusable buffers: touching new memory costs more than reading a file into it. Bounded by the total of idle buffers;
 * the least recently used is released first.
 */
export class ChunkBuffers {
  readonly #limit: number;
  #idle: ChunkBuffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get idleBytes(): number {
    return this.#idle.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Lends a buffer of at least this many bytes, with undefined content, until `use` ends. */
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
    let capacity = minSize;
    while (capacity < size) capacity *= 2;
    // A larger one than needed is better than a new one, of which the collector of garbage has to hear, too.
    let fitting = -1;
    for (const [at, { bytes }] of this.#idle.entries()) {
      if (bytes.length >= size && !(bytes.length > (this.#idle[fitting]?.bytes.length ?? Infinity)))
        fitting = at;
    }
    return fitting < 0 ? new ChunkBuffer(capacity) : this.#idle.splice(fitting, 1)[0]!;
  }
}
