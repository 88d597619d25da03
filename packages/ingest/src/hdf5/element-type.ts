import type { NumericType } from '@cellfolio/model';
import type { RawMetadata } from './hdf5-library.ts';

/** Type of the elements of a dataset or attribute, limited to the HDF5 types used by AnnData files. */
export type ElementType =
  | {
      kind: 'number';
      dtype: NumericType | 'float16';
      size: number;
      littleEndian: boolean;
    }
  | { kind: 'boolean'; size: number }
  | { kind: 'string'; size: number; variable: boolean }
  | { kind: 'compound'; size: number; members: readonly CompoundMember[] }
  | {
      kind: 'array';
      size: number;
      element: ElementType;
      shape: readonly number[];
    }
  | { kind: 'reference'; size: number }
  | { kind: 'other'; size: number; name: string };

export interface CompoundMember {
  name: string;
  /** Byte position within one element. */
  offset: number;
  type: ElementType;
}

/** Location of a one-dimensional dataset's bytes in its file. Plain data, which can be sent to a thread. */
export type StoredBytes =
  | { kind: 'contiguous'; at: number }
  | {
      kind: 'chunks';
      /** Elements per chunk; the last one is stored whole, too. */
      length: number;
      at: Float64Array;
      bytes: Uint32Array;
      shuffled: boolean;
    };

export interface DatasetInfo {
  path: string;
  shape: readonly number[];
  type: ElementType;
  chunks?: readonly number[];
  /** Names of the filters in order of application, such as `shuffle`, `deflate`. */
  filters: readonly { id: number; name: string }[];
  /** Whether numbers are big-endian in the file; the library swaps them, and `type` describes the swapped ones. */
  bigEndian?: true;
  virtual?: true;
  stored?: StoredBytes;
}

// Class numbers of HDF5's H5T_class_t.
const integer = 0;
const float = 1;
const string = 3;
const compound = 6;
const reference = 7;
const enumeration = 8;
const array = 10;

type Order = 'little' | 'big' | 'mixed' | undefined;

/**
 * Byte order of an element as reported by the library (H5Tget_order): undefined for types without one, such as
 * fixed-length strings.
 */
function orderOf(raw: RawMetadata): Order {
  const own = raw.littleEndian ? 'little' : 'big';
  switch (raw.type) {
    case string:
      return raw.vlen ? 'little' : undefined;
    case reference:
      return undefined;
    case array:
      return raw.array_type && orderOf(raw.array_type);
    case compound: {
      const orders = new Set((raw.compound_type?.members ?? []).map(orderOf));
      orders.delete(undefined);
      return orders.size > 1 ? 'mixed' : [...orders][0];
    }
    default:
      return own;
  }
}

function hasEnumeration({ type, compound_type: record, array_type: list }: RawMetadata): boolean {
  if (type === enumeration) return true;
  return (record?.members ?? []).some(hasEnumeration) || (list !== undefined && hasEnumeration(list));
}

/**
 * Type of elements in memory. The library byte-swaps big-endian numbers, and records that contain nothing else; it
 * passes enumerations, and records of mixed order, as they are in the file.
 */
export function elementType(raw: RawMetadata): ElementType {
  const big = orderOf(raw) === 'big';
  // The library swaps only some members of these.
  if (big && raw.type !== enumeration && hasEnumeration(raw))
    return { kind: 'other', size: raw.size, name: 'big-endian records with enumerations' };
  return typeOf(raw, big && raw.type !== enumeration);
}

/** Whether the elements are big-endian numbers, which are swapped in memory. */
export function isBigEndianNumber(raw: RawMetadata): boolean {
  return (raw.type === integer || raw.type === float) && !raw.littleEndian;
}

function typeOf(raw: RawMetadata, turned: boolean): ElementType {
  const { size } = raw;
  const littleEndian = turned || raw.littleEndian;
  switch (raw.type) {
    case integer:
      if (size === 1 || size === 2 || size === 4 || size === 8) {
        const dtype = `${raw.signed ? 'int' : 'uint'}${(size * 8) as 8 | 16 | 32 | 64}` as const;
        return { kind: 'number', dtype, size, littleEndian };
      }
      return { kind: 'other', size, name: `whole numbers of ${8 * size} bits` };
    case float:
      if (size === 2 || size === 4 || size === 8) {
        const dtype = `float${(size * 8) as 16 | 32 | 64}` as const;
        return { kind: 'number', dtype, size, littleEndian };
      }
      return { kind: 'other', size, name: `floats of ${8 * size} bits` };
    case string:
      return { kind: 'string', size, variable: raw.vlen };
    case compound:
      return {
        kind: 'compound',
        size,
        members: (raw.compound_type?.members ?? []).map((member) => ({
          name: member.name,
          offset: member.offset,
          type: typeOf(member, turned),
        })),
      };
    case reference:
      return { kind: 'reference', size };
    case enumeration:
      return enumType(raw, turned);
    case array:
      if (raw.array_type !== undefined) {
        return {
          kind: 'array',
          size,
          element: typeOf(raw.array_type, turned),
          shape: raw.array_type.shape ?? [],
        };
      }
      break;
  }
  return { kind: 'other', size, name: otherClasses.get(raw.type) ?? 'of an unknown class' };
}

const otherClasses: ReadonlyMap<number, string> = new Map([
  [2, 'times'],
  [4, 'bit fields'],
  [5, 'opaque bytes'],
  [9, 'lists of any length'],
  [11, 'complex numbers'],
]);

/** h5py writes booleans as an enumeration of FALSE and TRUE; any other enumeration is read as its numbers. */
function enumType(raw: RawMetadata, turned: boolean): ElementType {
  const members = raw.enum_type?.members ?? {};
  if (raw.size === 1 && Object.keys(members).length === 2 && members.FALSE === 0 && members.TRUE === 1) {
    return { kind: 'boolean', size: raw.size };
  }
  return typeOf({ ...raw, type: raw.enum_type?.type ?? integer }, turned);
}

export function typeName(type: ElementType): string {
  switch (type.kind) {
    case 'number':
      return type.dtype;
    case 'boolean':
      return 'bool';
    case 'other':
      return type.name;
    default:
      return type.kind;
  }
}
