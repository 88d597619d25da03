import type { NumericArray } from '@cellfolio/model';
import { ChunkBuffers } from './chunk-buffers.ts';
import type { ZarrReader } from './zarr-reader.ts';
import { bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';
import { planEntries, type PlannedChunk, type PlannedRead } from './read-plan.ts';
import { chunkBytes } from './shard-layout.ts';
import type { ShardedArray } from './sharded-array.ts';

/** Memory for reads that a thread keeps when it has nothing to read: a block of a million entries, and the next one. */
const maxIdleBytes = 24 * 1024 * 1024;

/** One for all datasets: it lives as long as the thread. */
const buffers = new ChunkBuffers(maxIdleBytes);

/** An inner chunk with all its values. */
interface ReadChunk extends PlannedChunk {
  readonly values: NumericArray;
}

/** Reads entries of one array of a matrix into memory that is used again and again. */
export class EntryReader {
  readonly #nodes: ZarrReader;
  readonly #array: ShardedArray;

  constructor(nodes: ZarrReader, array: ShardedArray) {
    this.#nodes = nodes;
    this.#array = array;
  }

  /**
   * Copies the entries [start, end) into an array of that length: one range read a shard. Returns whether its type holds
   * all of them. Throws DatasetDamaged.
   */
  async into(
    target: NumericArray,
    start: number,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    let held = true;
    const copied = this.#plan(start, end).map((read) =>
      this.#read(read, signal, (chunks) => {
        for (const { from, to, into, values } of chunks) {
          const some = values.subarray(from, to);
          target.set(some, into);
          held &&= target.constructor === some.constructor || holds(target.subarray(into), some);
        }
      }),
    );
    // All have ended when this does: none writes into what its caller uses again.
    for (const result of await Promise.allSettled(copied)) {
      if (result.status === 'rejected') throw result.reason;
    }
    return held;
  }

  /**
   * Hands over inner chunks of one shard, from the one that begins at the entry `start` on: all their values by their
   * places, which are there until `use` ends. All are in one range read; those that are not `wanted` are not checked.
   * Throws DatasetDamaged, and what `use` throws.
   */
  async chunks(
    { start, end, wanted }: { start: number; end: number; wanted: ReadonlySet<number> },
    signal: AbortSignal | undefined,
    use: (chunks: ReadonlyMap<number, NumericArray>) => Promise<void>,
  ): Promise<void> {
    const [read, ...others] = this.#plan(start, end);
    if (!read || others.length > 0) throw new RangeError(`entries ${start} to ${end} are not in one shard`);
    const places = [...wanted];
    const chosen = { ...read, chunks: places.map((place) => read.chunks[place]!) };
    await this.#read(chosen, signal, (chunks) =>
      use(new Map(chunks.map(({ values }, i) => [places[i]!, values]))),
    );
  }

  #plan(start: number, end: number): PlannedRead[] {
    const { layout, type } = this.#array;
    return planEntries(layout, chunkBytes(layout, bytesPerValue(type)), start, end);
  }

  async #read(
    read: PlannedRead,
    signal: AbortSignal | undefined,
    use: (chunks: readonly ReadChunk[]) => Promise<void> | void,
  ): Promise<void> {
    const { type, layout } = this.#array;
    const size = layout.innerLength * bytesPerValue(type);
    const path = `${this.#array.path}/c/${read.shard}`;
    await buffers.using(read.range.length, async (buffer) => {
      const bytes = await this.#nodes.bytes(path, { range: read.range, signal, into: buffer.bytes });
      // A store that has memory of its own.
      if (bytes.buffer !== buffer.bytes.buffer) buffer.bytes.set(bytes);
      signal?.throwIfAborted();
      const chunks = read.chunks.map((chunk): ReadChunk => {
        try {
          return { ...chunk, values: numbersFromBytes(type, buffer.content(chunk.offset, size)) };
        } catch (cause) {
          throw this.#nodes.damaged(path, 'the checksum of an inner chunk does not fit', cause);
        }
      });
      await use(chunks);
    });
  }
}

/** Whether copies of numbers are the numbers. */
function holds(copies: NumericArray, values: NumericArray): boolean {
  let changed = 0;
  for (let i = 0; i < values.length; i++) if (copies[i] !== values[i]) changed++;
  return changed === 0;
}

/** Cells and values of the entries of a block. */
interface EntryArrays {
  readonly cells: Int32Array;
  readonly values: Float32Array;
}

/** Entries of the largest arrays that are kept: those of default blocks, and of a gene of four million cells. */
const maxIdleEntries = 1 << 22;
/** A block is read while another one is worked on. */
const maxIdleArrays = 2;

const idle: EntryArrays[] = [];

/**
 * Arrays of `count` entries, whose content is undefined, until `use` ends. They are used again: memory that is new
 * costs as much to touch as what is then done with it.
 */
export async function withEntryArrays<T>(
  count: number,
  use: (arrays: EntryArrays) => Promise<T>,
): Promise<T> {
  let arrays = idle.pop();
  if (!arrays || arrays.cells.length < count) {
    // Some room, so that the next block, of about as many entries, fits too.
    const room = Math.ceil(count * 1.125);
    arrays = { cells: new Int32Array(room), values: new Float32Array(room) };
  }
  try {
    return await use({ cells: arrays.cells.subarray(0, count), values: arrays.values.subarray(0, count) });
  } finally {
    if (idle.length < maxIdleArrays && arrays.cells.length <= maxIdleEntries) idle.push(arrays);
  }
}
