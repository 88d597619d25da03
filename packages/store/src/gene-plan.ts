import type { ByteRange } from '@cellfolio/bytes';
import type { ShardLayout } from './shard-layout.ts';

/** One inner chunk inside a read, and which of its values belong to the gene. */
export interface PlannedChunk {
  /** Byte position in what the read returns. */
  readonly offset: number;
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
 * The reads for the entries [start, end) of one array: one for each shard touched, as the inner chunks, each of
 * `chunkBytes` bytes, lie side by side.
 */
export function planEntries(
  { innerLength, shardLength }: ShardLayout,
  chunkBytes: number,
  start: number,
  end: number,
): PlannedRead[] {
  if (start === end) return [];
  const reads: PlannedRead[] = [];
  for (let shard = Math.floor(start / shardLength); shard * shardLength < end; shard++) {
    const origin = shard * shardLength;
    const first = Math.floor((Math.max(start, origin) - origin) / innerLength);
    const last = Math.floor((Math.min(end, origin + shardLength) - 1 - origin) / innerLength);
    const chunks: PlannedChunk[] = [];
    for (let chunk = first; chunk <= last; chunk++) {
      const chunkStart = origin + chunk * innerLength;
      chunks.push({
        offset: (chunk - first) * chunkBytes,
        from: Math.max(start - chunkStart, 0),
        to: Math.min(end - chunkStart, innerLength),
        into: Math.max(chunkStart - start, 0),
      });
    }
    const range = { offset: first * chunkBytes, length: chunks.length * chunkBytes };
    reads.push({ shard, range, chunks });
  }
  return reads;
}
