import { checksumBytes } from './chunk-buffers.ts';

/** Values per inner chunk of a matrix array: the minimum that reading one gene decodes. */
export const innerChunkLength = 32_768;

/** Shape of a gene-major sparse matrix (CSC of cells x genes) before its entries are known. */
export interface MatrixShape {
  readonly cellCount: number;
  readonly geneCount: number;
  /** geneCount + 1 positions: gene g has the entries [indptr[g], indptr[g + 1]). */
  readonly indptr: Float64Array;
  readonly valueType: 'float32' | 'float64' | 'int32' | 'uint32' | 'int64';
}

/** Partition of a matrix array: shards of `shardLength` values in inner chunks of `innerLength`. */
export interface ShardLayout {
  valueCount: number;
  innerLength: number;
  shardLength: number;
}

/** 512 inner chunks: small enough to be written and checked as one object, large enough to be few. */
const defaultShardLength = 512 * innerChunkLength;

/**
 * Layout for the entries of a matrix. No gene is longer than a shard, so that it touches at most two. A small array has
 * one shard of exactly its size, and a tiny one a single inner chunk.
 */
export function shardLayout(
  valueCount: number,
  largestGene: number,
  lengths: { inner: number; shard: number } = { inner: innerChunkLength, shard: defaultShardLength },
): ShardLayout {
  if (valueCount <= lengths.inner) {
    const all = Math.max(1, valueCount);
    return { valueCount, innerLength: all, shardLength: all };
  }
  let shardLength = lengths.shard;
  while (shardLength < largestGene) shardLength *= 2;
  const whole = Math.ceil(valueCount / lengths.inner) * lengths.inner;
  return { valueCount, innerLength: lengths.inner, shardLength: Math.min(shardLength, whole) };
}

/** Bytes of a stored inner chunk: its values and their CRC-32C. The same for all chunks of an array. */
export function chunkBytes({ innerLength }: ShardLayout, bytesPerValue: number): number {
  return innerLength * bytesPerValue + checksumBytes;
}

export function chunksPerShard(layout: ShardLayout): number {
  return layout.shardLength / layout.innerLength;
}

export function shardCount(layout: ShardLayout): number {
  return Math.ceil(layout.valueCount / layout.shardLength);
}

export function chunksOfShard(layout: ShardLayout, shard: number): number {
  const perShard = chunksPerShard(layout);
  return shard + 1 < shardCount(layout) ? perShard : chunkCount(layout) - shard * perShard;
}

export function chunkCount({ valueCount, innerLength }: ShardLayout): number {
  return Math.ceil(valueCount / innerLength);
}
