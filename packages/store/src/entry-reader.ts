import type { NumericArray } from '@cellfolio/model';
import { eachLimited } from '@cellfolio/bytes';
import type { FrameBuffer } from './frames/frame-buffer.ts';
import { FrameBuffers } from './frames/frame-buffers.ts';
import { rawContentAt } from './frames/raw-frame.ts';
import type { PlannedChunk, PlannedRead } from './gene-plan.ts';
import { planEntries } from './gene-plan.ts';
import type { NodeReader } from './node-reader.ts';
import { bytesPerValue, numbersFromBytes } from './number-bytes.ts';
import type { ShardedArray } from './sharded-array.ts';
import { decompressed, decompressedHere } from './zstd.ts';

/** Compressed inner chunks decoded at a time for one read: the libuv pool has four threads. */
const chunksAtOnce = 4;
/** Memory for reads that a thread keeps when it has nothing to read: a block of a million entries, and the next one. */
const keptBytes = 24 * 1024 * 1024;

/** One for all datasets: it lives as long as the thread. */
const buffers = new FrameBuffers(keptBytes);

/** An inner chunk with all its values. */
interface ReadChunk extends PlannedChunk {
  readonly values: NumericArray;
}

export interface EntryReading {
  readonly signal: AbortSignal | undefined;
  /** Where compressed inner chunks are decoded: on the calling thread, or on the libuv pool. */
  readonly decode: 'here' | 'pool';
}

/** Reads entries of one array of a matrix into memory that is used again and again. */
export class EntryReader {
  readonly #nodes: NodeReader;
  readonly #array: ShardedArray;

  constructor(nodes: NodeReader, array: ShardedArray) {
    this.#nodes = nodes;
    this.#array = array;
  }

  /** Copies the entries [start, end) into an array of that length: one range read a shard. Throws DatasetDamaged. */
  async into(
    target: Int32Array | Float32Array,
    start: number,
    end: number,
    reading: EntryReading,
  ): Promise<void> {
    const copied = this.#plan(start, end).map((read) =>
      this.#read(read, reading, (chunks) => {
        for (const { from, to, into, values } of chunks) target.set(values.subarray(from, to), into);
      }),
    );
    // All have ended when this does: none writes into what its caller uses again.
    for (const result of await Promise.allSettled(copied)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }

  /**
   * Hands over inner chunks of one shard, from the one that begins at the entry `start` on: all their values by their
   * places, which are there until `use` ends. All are in one range read; those that are not `wanted` are not decoded.
   * Throws DatasetDamaged, and what `use` throws.
   */
  async chunks(
    { start, end, wanted }: { start: number; end: number; wanted: ReadonlySet<number> },
    reading: EntryReading,
    use: (chunks: ReadonlyMap<number, NumericArray>) => Promise<void>,
  ): Promise<void> {
    const [read, ...others] = this.#plan(start, end);
    if (!read || others.length > 0) throw new RangeError(`entries ${start} to ${end} are not in one shard`);
    const places = [...wanted];
    const chosen = { ...read, chunks: places.map((place) => read.chunks[place]!) };
    await this.#read(chosen, reading, (chunks) =>
      use(new Map(chunks.map(({ values }, i) => [places[i]!, values]))),
    );
  }

  #plan(start: number, end: number): PlannedRead[] {
    const { layout, shards, path } = this.#array;
    try {
      return planEntries(layout, shards, start, end);
    } catch (cause) {
      throw this.#nodes.damaged(path, 'a part of it is not stored', cause);
    }
  }

  async #read(
    read: PlannedRead,
    reading: EntryReading,
    use: (chunks: readonly ReadChunk[]) => Promise<void> | void,
  ): Promise<void> {
    const { signal } = reading;
    const path = `${this.#array.path}/c/${read.shard}`;
    await buffers.using(read.range.length, async (buffer) => {
      const bytes = await this.#nodes.bytes(path, { range: read.range, signal, into: buffer.bytes });
      // A store that has memory of its own.
      if (bytes.buffer !== buffer.bytes.buffer) buffer.bytes.set(bytes);
      signal?.throwIfAborted();
      await use(await this.#decoded(path, read.chunks, buffer, reading));
    });
  }

  async #decoded(
    path: string,
    chunks: readonly PlannedChunk[],
    buffer: FrameBuffer,
    { signal, decode }: EntryReading,
  ): Promise<ReadChunk[]> {
    const { type, layout } = this.#array;
    const size = layout.innerLength * bytesPerValue(type);
    const contents = new Array<Uint8Array>(chunks.length);
    const compressed: number[] = [];
    try {
      for (let i = 0; i < chunks.length; i++) {
        const { offset, length } = chunks[i]!;
        const at = rawContentAt(buffer, offset, length, size);
        if (at !== undefined) contents[i] = buffer.bytes.subarray(at, at + size);
        else if (decode === 'here') {
          contents[i] = decompressedHere(buffer.bytes.subarray(offset, offset + length), size);
        } else compressed.push(i);
      }
      await eachLimited(compressed.length, chunksAtOnce, async (place) => {
        signal?.throwIfAborted();
        const i = compressed[place]!;
        const { offset, length } = chunks[i]!;
        contents[i] = await decompressed(buffer.bytes.subarray(offset, offset + length), size);
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw this.#nodes.damaged(path, 'an inner chunk cannot be decompressed', cause);
    }
    return chunks.map((chunk, i) => ({ ...chunk, values: numbersFromBytes(type, contents[i]!) }));
  }
}
