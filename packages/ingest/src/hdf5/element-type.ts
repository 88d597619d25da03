import type { NumericType } from '@cellfolio/model';
import type { RawMetadata } from './hdf5-library.ts';

/** Type of the elements of a dataset or attribute, as far as AnnData files use HDF5's types. */
export type ElementType =
  | {
      readonly kind: 'number';
      readonly dtype: NumericType | 'float16';
      readonly size: number;
      readonly littleEndian: boolean;
    }
  | { readonly kind: 'boolean'; readonly size: number }
  | { readonly kind: 'string'; readonly size: number; readonly variable: boolean }
  | { readonly kind: 'compound'; readonly size: number; readonly members: readonly CompoundMember[] }
  | {
      readonly kind: 'array';
      readonly size: number;
      readonly element: ElementType;
      readonly shape: readonly number[];
    }
  | { readonly kind: 'reference'; readonly size: number }
  | { readonly kind: 'other'; readonly size: number };

export interface CompoundMember {
  readonly name: string;
  /** Byte position within one element. */
  readonly offset: number;
  readonly type: ElementType;
}

/** Where the bytes of a one-dimensional dataset lie in its file. Plain data: a thread can be given it. */
export type StoredBytes =
  | { readonly kind: 'contiguous'; readonly at: number }
  | {
      readonly kind: 'chunks';
      /** Elements of a chunk; the last one is stored whole, too. */
      readonly length: number;
      /** Position and size of each chunk in the file. */
      readonly at: Float64Array;
      readonly bytes: Uint32Array;
      readonly shuffled: boolean;
    };

/** One dataset of a file: type and shape, not its values. */
export interface DatasetInfo {
  readonly path: string;
  readonly shape: readonly number[];
  readonly type: ElementType;
  /** Shape of a chunk; absent where the values lie in one piece. */
  readonly chunks?: readonly number[];
  /** Names of the filters in the order they were applied, such as `shuffle`, `deflate`. */
  readonly filters: readonly { readonly id: number; readonly name: string }[];
  /** Where its bytes lie, of one that is read past the library. */
  readonly stored?: StoredBytes;
}

// Class numbers of HDF5's H5T_class_t.
const integer = 0;
const float = 1;
const string = 3;
const compound = 6;
const reference = 7;
const enumeration = 8;
const array = 10;

export function elementType(raw: RawMetadata): ElementType {
  const { size } = raw;
  switch (raw.type) {
    case integer:
      if (size === 1 || size === 2 || size === 4 || size === 8) {
        const dtype = `${raw.signed ? 'int' : 'uint'}${(size * 8) as 8 | 16 | 32 | 64}` as const;
        return { kind: 'number', dtype, size, littleEndian: raw.littleEndian };
      }
      break;
    case float:
      if (size === 2 || size === 4 || size === 8) {
        const dtype = `float${(size * 8) as 16 | 32 | 64}` as const;
        return { kind: 'number', dtype, size, littleEndian: raw.littleEndian };
      }
      break;
    case string:
      return { kind: 'string', size, variable: raw.vlen };
    case compound:
      return {
        kind: 'compound',
        size,
        members: (raw.compound_type?.members ?? []).map((member) => ({
          name: member.name,
          offset: member.offset,
          type: elementType(member),
        })),
      };
    case reference:
      return { kind: 'reference', size };
    case enumeration:
      return enumType(raw);
    case array:
      if (raw.array_type !== undefined) {
        return {
          kind: 'array',
          size,
          element: elementType(raw.array_type),
          shape: raw.array_type.shape ?? [],
        };
      }
      break;
  }
  return { kind: 'other', size };
}

/** h5py writes booleans as an enumeration of FALSE and TRUE; any other enumeration is its numbers. */
function enumType(raw: RawMetadata): ElementType {
  const members = raw.enum_type?.members ?? {};
  if (raw.size === 1 && Object.keys(members).length === 2 && members.FALSE === 0 && members.TRUE === 1) {
    return { kind: 'boolean', size: raw.size };
  }
  return elementType({ ...raw, type: raw.enum_type?.type ?? integer });
}

/** In numpy's words, for reports and errors. */
export function typeName(type: ElementType): string {
  switch (type.kind) {
    case 'number':
      return type.dtype;
    case 'boolean':
      return 'bool';
    default:
      return type.kind;
  }
}
