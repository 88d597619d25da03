import { open, rm, type FileHandle } from 'node:fs/promises';
import type { RNumbers } from './r-value.ts';

/** Vectors up to this number of bytes stay in memory. */
const smallVector = 65_536;

/** Numbers of an R file: small vectors in memory, others in a file beside the output until they are written. */
export class NumberSpill {
  readonly #path: string;
  #file: FileHandle | undefined;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Stores a vector whose big-endian bytes come in pieces. */
  async keep(kind: RNumbers['kind'], length: number, pieces: AsyncIterable<Buffer>): Promise<RNumbers> {
    const size = kind === 'double' ? 8 : 4;
    if (length * size <= smallVector) {
      const bytes = Buffer.alloc(length * size);
      let at = 0;
      for await (const piece of pieces) at += piece.copy(bytes, at);
      return new StoredNumbers(kind, length, async (start, count) =>
        Buffer.from(bytes.subarray(start * size, (start + count) * size)),
      );
    }
    const file = (this.#file ??= await open(this.#path, 'wx+', 0o600));
    const from = this.#end;
    for await (const piece of pieces) {
      await file.write(piece, 0, piece.length, this.#end);
      this.#end += piece.length;
    }
    return new StoredNumbers(kind, length, async (start, count) => {
      const bytes = Buffer.alloc(count * size);
      for (let done = 0; done < bytes.length;) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + start * size + done);
        if (bytesRead === 0) throw new Error(`${this.#path} ends early.`);
        done += bytesRead;
      }
      return bytes;
    });
  }

  async remove(): Promise<void> {
    await this.#file?.close();
    await rm(this.#path, { force: true });
  }
}

class StoredNumbers implements RNumbers {
  readonly kind: RNumbers['kind'];
  readonly length: number;
  readonly #bytes: (start: number, count: number) => Promise<Buffer>;

  constructor(
    kind: RNumbers['kind'],
    length: number,
    bytes: (start: number, count: number) => Promise<Buffer>,
  ) {
    this.kind = kind;
    this.length = length;
    this.#bytes = bytes;
  }

  async read(start: number, count: number): Promise<Int32Array | Float64Array> {
    if (start < 0 || count < 0 || start + count > this.length)
      throw new RangeError(`${count} numbers from ${start} of ${this.length}`);
    const bytes = await this.#bytes(start, count);
    if (this.kind !== 'double') {
      const values = new Int32Array(count);
      for (let at = 0; at < count; at++) values[at] = bytes.readInt32BE(4 * at);
      return values;
    }
    const values = new Float64Array(count);
    for (let at = 0; at < count; at++) values[at] = bytes.readDoubleBE(8 * at);
    return values;
  }
}

/** `first`, `first + step`, …, like R's compact 1:n. */
export function sequence(
  kind: 'integer' | 'double',
  { length, first, step }: { length: number; first: number; step: number },
): RNumbers {
  return {
    kind,
    length,
    read: async (start, count) => {
      const values = kind === 'integer' ? new Int32Array(count) : new Float64Array(count);
      for (let at = 0; at < count; at++) values[at] = first + (start + at) * step;
      return values;
    },
  };
}
