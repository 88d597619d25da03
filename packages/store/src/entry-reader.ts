import type { NumericArray } from '@cellfolio/model';
import { ChunkBuffers } from './chunk-buffers.ts';
import type { ZarrReader } from './zarr-reader.ts';
import { bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';
import { planEntries, type PlannedChunk, type PlannedRead } from './read-plan.ts';
import { chunkBytes } from './shard-layout.ts';
import type { ShardedArray } from './sharded-array.ts';

/** Read memory that an idle thread keeps: a block of a million entries, and the next one. */
const maxIdleBytes = 24 * 1024 * 1024;

/** Shared by all datasets of a thread, for its lifetime. */
const buffers = new ChunkBuffers(maxIdleBytes);

interface ReadChunk extends PlannedChunk {
  values: NumericArray;
}

export class EntryReader {
  readonly #nodes: ZarrReader;
  readonly #array: ShardedArray;

  constructor(nodes: ZarrReader, array: ShardedArray) {
    this.#nodes = nodes;
    this.#array = array;
  }

  /**
   * Copies the entries [start, end) into an array of that length: one range read per shard. Returns whether its type
   * holds all of them. Throws DatasetDamaged.
   */
  async into(
    target: NumericArray,
    start: number,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    let isIntact = true;
    const copied = this.#plan(start, end).map((read) =>
      this.#read(read, signal, (chunks) => {
        for (const { from, to, into, values } of chunks) {
          const some = values.subarray(from, to);
          target.set(some, into);
          isIntact &&= target.constructor === some.constructor || holds(target.subarray(into), some);
        }
      }),
    );
    // All have ended when this does: none writes into what its caller uses again.
    for (const result of await Promise.allSettled(copied)) {
      if (result.status === 'rejected') throw result.reason;
    }
    return isIntact;
  }

  /**
   * Passes inner chunks of one shard, starting at the entry `start`: all their values by index, valid until `use` ends.
   * All are in one range read; those not `wanted` are not checked. Throws DatasetDamaged, and the error of `use`.
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

function holds(copies: NumericArray, values: NumericArray): boolean {
  let changed = 0;
  for (let i = 0; i < values.length; i++) if (copies[i] !== values[i]) changed++;
  return changed === 0;
}

interface EntryArrays {
  cells: Int32Array;
  values: Float32Array;
}

/** Maximum entries of cached arrays: those of default blocks, and of a gene with four million cells. */
const maxIdleEntries = 1 << 22;
/** One block is read while another is processed. */
const maxIdleArrays = 2;

const idle: EntryArrays[] = [];

/**
 * Lends arrays of `count` entries, with undefined content, until `use` ends. They are reused: touching new memory costs
 * as much as the work on it.
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
