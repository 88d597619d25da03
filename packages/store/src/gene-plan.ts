import type { ByteRange } from '@cellfolio/bytes';
import type { ShardIndex } from './shard-index.ts';
import type { ShardLayout } from './shard-layout.ts';

/** One inner chunk inside a read, and which of its values belong to the gene. */
export interface PlannedChunk {
  /** Byte position in what the read returns. */
  readonly offset: number;
  readonly length: number;
  /** Values `from` to `to` of the chunk go to position `into` of the gene. */
  readonly from: number;
  readonly to: number;
  readonly into: number;
}

/** One range read of one shard. */
export interface PlannedRead {
  readonly shard: number;
  readonly range: ByteRange;
  readonly chunks: readonly PlannedChunk[];
}

/**
 * The reads for the entries [start, end) of one array: one for each shard touched, as the inner chunks of a
 * gene lie side by side. Throws RangeError where an inner chunk is not stored.
 */
export function planEntries(
  layout: ShardLayout,
  shards: readonly ShardIndex[],
  start: number,
  end: number,
): PlannedRead[] {
  if (start === end) return [];
  const { innerLength, shardLength } = layout;
  const reads: PlannedRead[] = [];
  for (let shard = Math.floor(start / shardLength); shard * shardLength < end; shard++) {
    const index = shards[shard];
    const origin = shard * shardLength;
    const first = Math.floor((Math.max(start, origin) - origin) / innerLength);
    const last = Math.floor((Math.min(end, origin + shardLength) - 1 - origin) / innerLength);
    const placed: { chunk: number; offset: number; length: number }[] = [];
    for (let chunk = first; chunk <= last; chunk++) {
      const length = index?.lengths[chunk] ?? 0;
      if (!index || length === 0)
        throw new RangeError(`inner chunk ${chunk} of shard ${shard} is not stored`);
      placed.push({ chunk, offset: index.offsets[chunk]!, length });
    }
    const from = placed.reduce((least, { offset }) => Math.min(least, offset), Infinity);
    const to = placed.reduce((most, { offset, length }) => Math.max(most, offset + length), 0);
    reads.push({
      shard,
      range: { offset: from, length: to - from },
      chunks: placed.map(({ chunk, offset, length }) => {
        const chunkStart = origin + chunk * innerLength;
        return {
          offset: offset - from,
          length,
          from: Math.max(start - chunkStart, 0),
          to: Math.min(end - chunkStart, innerLength),
          into: Math.max(chunkStart - start, 0),
        };
      }),
    });
  }
  return reads;
}
