import type { DatasetManifest } from './manifest.ts';
import type { ZarrReader } from './zarr-reader.ts';
import { bytesPerValue } from './numeric-arrays.ts';
import { chunkBytes, chunksPerShard, shardCount, type ShardLayout } from './shard-layout.ts';
import type { ZarrType } from './zarr-metadata.ts';

/**
 * One of the two long arrays of a matrix. Its inner chunks are contiguous and of equal length, so that its shard
 * indexes are only for other readers.
 */
export interface ShardedArray {
  path: string;
  type: Exclude<ZarrType, 'string'>;
  layout: ShardLayout;
}

/** Checks that the shards of an array of `valueCount` numbers have our layout and storage. Throws DatasetDamaged. */
export function shardedArrayOf(
  nodes: ZarrReader,
  manifest: DatasetManifest,
  path: string,
  valueCount: number,
): ShardedArray {
  const metadata = nodes.array(path);
  const type = metadata.data_type;
  const [codec] = metadata.codecs;
  const { chunk_shape: inner, codecs } = (codec?.configuration ?? {}) as {
    chunk_shape?: number[];
    codecs?: { name: string }[];
  };
  const innerLength = inner?.[0];
  const shardLength = metadata.chunk_grid.configuration.chunk_shape[0];
  const names = codecs?.map(({ name }) => name).join(' ');
  if (type === 'string' || codec?.name !== 'sharding_indexed' || names !== 'bytes crc32c') {
    throw nodes.damaged(path, 'it is not a sharded array of numbers with checksums');
  }
  if (!innerLength || !shardLength || shardLength % innerLength !== 0)
    throw nodes.damaged(path, 'its shards are not cut into whole inner chunks');
  if (metadata.shape.length !== 1 || metadata.shape[0] !== valueCount) {
    throw nodes.damaged(path, `it does not have the ${valueCount} entries that indptr announces`);
  }
  const layout: ShardLayout = { valueCount, innerLength, shardLength };
  const stride = chunkBytes(layout, bytesPerValue(type));
  const files = new Map(Object.entries(manifest.files));
  for (let shard = 0; shard < shardCount(layout); shard++) {
    const file = `${path}/c/${shard}`;
    const size = files.get(file)?.size;
    if (size === undefined) throw nodes.damaged(file, 'the manifest does not know it');
    const values = Math.min(shardLength, valueCount - shard * shardLength);
    const expected = Math.ceil(values / innerLength) * stride + chunksPerShard(layout) * 16 + 4;
    if (size !== expected) throw nodes.damaged(file, `it has ${size} bytes instead of ${expected}`);
  }
  return { path, type, layout };
}
