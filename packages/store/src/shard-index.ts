import { crc32c } from './chunks/crc32c.ts';

const absent = 0xffff_ffff_ffff_ffffn;

/**
 * The index at the end of a shard (Zarr v3, "sharding_indexed"): pairs of offset and length for inner chunks of the same
 * length, appended one after the other, and for those that are not there; then its CRC-32C.
 */
export function shardIndexBytes(chunks: number, chunkBytes: number, chunksPerShard: number): Uint8Array {
  const out = new Uint8Array(chunksPerShard * 16 + 4);
  const view = new DataView(out.buffer);
  for (let i = 0; i < chunksPerShard; i++) {
    view.setBigUint64(i * 16, i < chunks ? BigInt(i * chunkBytes) : absent, true);
    view.setBigUint64(i * 16 + 8, i < chunks ? BigInt(chunkBytes) : absent, true);
  }
  view.setUint32(out.length - 4, crc32c(out.subarray(0, -4)), true);
  return out;
}
