import type { NumericType } from '@cellfolio/model';
import type * as zarr from 'zarrita';
import { bytesPerValue } from './numeric-arrays.ts';
import { zstdCodec, zstdConfiguration } from './chunk-codecs.ts';

/** Array types of a dataset, by their Zarr v3 names. */
export type ZarrType = NumericType | 'bool' | 'string';

export type Attributes = Readonly<zarr.Attributes>;

interface Codec {
  name: string;
  configuration?: Record<string, unknown>;
}

type WithoutCodecs = Omit<zarr.ArrayMetadata, 'data_type' | 'codecs' | 'fill_value'>;

/** Metadata as stored: codecs without a configuration have none. */
export interface ArrayMetadata extends WithoutCodecs {
  data_type: ZarrType;
  fill_value: number | boolean | string;
  codecs: readonly Codec[];
}

export type NodeMetadata = ArrayMetadata | zarr.GroupMetadata;

const zstd: Codec = { name: 'zstd', configuration: zstdConfiguration };
/**
 * Matrix entries, which every analysis reads by the hundred million, are plain bytes with their checksum: zstd level 1
 * would shrink them by a third to a half and take six to eight times as long to decode as to check.
 */
const checksumCodec: Codec = { name: 'crc32c' };

export function groupMetadata(attributes: Attributes): zarr.GroupMetadata {
  return { attributes, zarr_format: 3, node_type: 'group' };
}

export function plainArray(
  type: ZarrType,
  shape: readonly number[],
  chunkShape: number[],
  attributes: Attributes,
): ArrayMetadata {
  return arrayMetadata(type, shape, chunkShape, [valueCodec(type), zstd], attributes);
}

/** A one-dimensional array of shards whose inner chunks can be read separately. */
export function shardedArray(
  type: NumericType,
  length: number,
  layout: { shardLength: number; innerLength: number },
): ArrayMetadata {
  const sharding: Codec = {
    name: 'sharding_indexed',
    configuration: {
      chunk_shape: [layout.innerLength],
      codecs: [valueCodec(type), checksumCodec],
      index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, checksumCodec],
      index_location: 'end',
    },
  };
  return arrayMetadata(type, [length], [layout.shardLength], [sharding], {});
}

/**
 * Metadata of a plain array for zarrita, adapted where our own code reads faster: zstd is Node's, a flag is a byte, and
 * a chunk of strings stays raw bytes.
 */
export function chunkMetadata(metadata: ArrayMetadata): zarr.ArrayMetadata {
  const { data_type: type, chunk_grid: grid } = metadata;
  const values = grid.configuration.chunk_shape.reduce((product, length) => product * length, 1);
  const isBytes = type === 'string' || type === 'bool';
  const size = type === 'string' ? undefined : values * bytesPerValue(type);
  return {
    ...metadata,
    data_type: isBytes ? 'uint8' : type,
    fill_value: isBytes ? 0 : (metadata.fill_value as number),
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, zstdCodec(size)],
  };
}

function arrayMetadata(
  type: ZarrType,
  shape: readonly number[],
  chunkShape: number[],
  codecs: Codec[],
  attributes: Attributes,
): ArrayMetadata {
  return {
    shape: [...shape],
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: type === 'string' ? '' : type === 'bool' ? false : 0,
    codecs,
    attributes,
    zarr_format: 3,
    node_type: 'array',
  };
}

function valueCodec(type: ZarrType): Codec {
  if (type === 'string') return { name: 'vlen-utf8' };
  if (type === 'bool' || type === 'int8' || type === 'uint8') return { name: 'bytes' };
  return { name: 'bytes', configuration: { endian: 'little' } };
}
