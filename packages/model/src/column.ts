/**
 * Columns of `obs` and `var`. Columns stay columns: one typed array each, never an object or a string
 * per cell. Row i of every column of a table describes the same cell (obs) or gene (var).
 */

/** Integer and float types that AnnData files hold. */
export type NumericType =
  'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'float32' | 'float64';

export type NumericArray =
  Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export type WideIntegers = BigInt64Array | BigUint64Array;

/** Strings of n rows in one UTF-8 buffer: row i is `bytes[offsets[i] .. offsets[i + 1])`. */
export interface PackedStrings {
  readonly bytes: Uint8Array;
  /** n + 1 rising byte positions. */
  readonly offsets: Uint32Array;
}

/** Codes into categories, as pandas has them; code -1 is a missing value. */
export interface CategoricalColumn {
  readonly kind: 'categorical';
  readonly codes: Int8Array | Int16Array | Int32Array;
  /** Labels in the order of their codes, written as text whatever `categoryType` says. */
  readonly categories: readonly string[];
  /** What the categories were in the file, so that they can be written back equal. */
  readonly categoryType: 'string' | 'boolean' | NumericType;
  readonly ordered: boolean;
}

export interface NumericColumn {
  readonly kind: 'numeric';
  readonly dtype: NumericType;
  /** n values; a missing float is NaN. int64 and uint64 are carried as Float64Array, all below 2^53 in size. */
  readonly values: NumericArray;
  /** 1 where a nullable integer is missing. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

/** 64-bit integers of which at least one is 2^53 or more in size, where float64 merges neighbours: mostly ids. */
export interface WideIntegerColumn {
  readonly kind: 'wide-integer';
  readonly dtype: 'int64' | 'uint64';
  /** n values. */
  readonly values: WideIntegers;
  /** 1 where a nullable integer is missing. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

export interface BooleanColumn {
  readonly kind: 'boolean';
  /** n values of 0 or 1. */
  readonly values: Uint8Array;
  /** 1 where a nullable boolean is missing. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

export interface StringColumn {
  readonly kind: 'string';
  readonly strings: PackedStrings;
  /** 1 where a nullable string is missing. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

export type Column = CategoricalColumn | NumericColumn | WideIntegerColumn | BooleanColumn | StringColumn;

/** A data frame of n rows: `obs` (one row a cell) or `var` (one row a gene). */
export interface Table {
  readonly rowCount: number;
  /** Name of the index column as the file has it; `_index` where it has none. */
  readonly indexName: string;
  /** Row names: barcodes for obs, gene ids or symbols for var. */
  readonly index: PackedStrings;
  readonly columns: ReadonlyMap<string, Column>;
}
