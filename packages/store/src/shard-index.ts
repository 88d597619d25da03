import { crc32c } from './crc32c.ts';

/** Where the inner chunks of one shard lie: chunk i is `lengths[i]` bytes at `offsets[i]`. */
export interface ShardIndex {
  readonly offsets: Float64Array;
  /** 0 for an inner chunk that is not stored. */
  readonly lengths: Uint32Array;
}

const absent = 0xffff_ffff_ffff_ffffn;

/** Bytes of the index at the end of a shard. */
export function shardIndexSize(chunksPerShard: number): number {
  return chunksPerShard * 16 + 4;
}

/** Pairs of offset and length for inner chunks appended one after the other, then the CRC-32C. */
export function shardIndexBytes(lengths: readonly number[], chunksPerShard: number): Uint8Array {
  const out = new Uint8Array(shardIndexSize(chunksPerShard));
  const view = new DataView(out.buffer);
  let offset = 0;
  for (let i = 0; i < chunksPerShard; i++) {
    const length = lengths[i];
    view.setBigUint64(i * 16, length === undefined ? absent : BigInt(offset), true);
    view.setBigUint64(i * 16 + 8, length === undefined ? absent : BigInt(length), true);
    offset += length ?? 0;
  }
  view.setUint32(out.length - 4, crc32c(out.subarray(0, -4)), true);
  return out;
}

/** Throws Error where the checksum does not fit, or a chunk does not lie before the index. */
export function parseShardIndex(bytes: Uint8Array, shardSize: number): ShardIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (crc32c(bytes.subarray(0, -4)) !== view.getUint32(bytes.length - 4, true)) {
    throw new Error('the checksum of the shard index does not fit');
  }
  const chunks = (bytes.length - 4) / 16;
  const offsets = new Float64Array(chunks);
  const lengths = new Uint32Array(chunks);
  for (let i = 0; i < chunks; i++) {
    const offset = view.getBigUint64(i * 16, true);
    const length = view.getBigUint64(i * 16 + 8, true);
    if (offset === absent && length === absent) continue;
    if (length === 0n || offset + length > BigInt(shardSize - bytes.length)) {
      throw new Error(`inner chunk ${i} does not lie inside its shard`);
    }
    offsets[i] = Number(offset);
    lengths[i] = Number(length);
  }
  return { offsets, lengths };
}
