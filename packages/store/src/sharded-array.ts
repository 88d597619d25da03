import { eachLimited } from '@cellfolio/bytes';
import type { DatasetManifest } from './manifest.ts';
import type { NodeReader } from './node-reader.ts';
import type { ShardIndex } from './shard-index.ts';
import { parseShardIndex, shardIndexSize } from './shard-index.ts';
import type { ShardLayout } from './shard-layout.ts';
import { chunksPerShard, shardCount } from './shard-layout.ts';
import type { ZarrType } from './zarr-metadata.ts';

/** Shard indexes read at a time while a dataset is opened. */
const indexesAtOnce = 8;

/** One of the two long arrays of a matrix, the indexes of its shards in memory. */
export interface ShardedArray {
  readonly path: string;
  readonly type: Exclude<ZarrType, 'string'>;
  readonly layout: ShardLayout;
  readonly shards: readonly ShardIndex[];
}

/** Reads the shard indexes of an array of `valueCount` numbers. Throws DatasetDamaged. */
export async function openShardedArray(
  nodes: NodeReader,
  manifest: DatasetManifest,
  path: string,
  valueCount: number,
): Promise<ShardedArray> {
  const metadata = nodes.array(path);
  const type = metadata.data_type;
  const [codec] = metadata.codecs;
  const inner = codec?.configuration?.['chunk_shape'] as number[] | undefined;
  const innerLength = inner?.[0];
  const shardLength = metadata.chunk_grid.configuration.chunk_shape[0];
  if (type === 'string' || codec?.name !== 'sharding_indexed' || !innerLength || !shardLength) {
    throw nodes.damaged(path, 'it is not a sharded array of numbers');
  }
  if (metadata.shape.length !== 1 || metadata.shape[0] !== valueCount) {
    throw nodes.damaged(path, `it does not have the ${valueCount} entries that indptr announces`);
  }
  const layout: ShardLayout = { valueCount, innerLength, shardLength };
  const shards = new Array<ShardIndex>(shardCount(layout));
  const sizes = new Map(Object.entries(manifest.files).map(([file, { size }]) => [file, size]));
  const length = shardIndexSize(chunksPerShard(layout));
  await eachLimited(shards.length, indexesAtOnce, async (shard) => {
    const file = `${path}/c/${shard}`;
    const size = sizes.get(file);
    if (size === undefined || size < length) throw nodes.damaged(file, 'the manifest does not know it');
    const bytes = await nodes.bytes(file, { range: { offset: size - length, length } });
    try {
      shards[shard] = parseShardIndex(bytes, size);
    } catch (cause) {
      throw nodes.damaged(file, 'its index cannot be read', cause);
    }
  });
  return { path, type, layout, shards };
}
