/**
 * Columns of `obs` and `var`. Columns stay columns: one typed array each, never an object or a string
 * per cell. Row i of every column of a table describes the same cell (obs) or gene (var).
 */

export type NumericType =
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64';

export type NumericArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;

export type WideIntegers = BigInt64Array | BigUint64Array;

/** Strings of n rows in one UTF-8 buffer: row i is `bytes[offsets[i] .. offsets[i + 1])`. */
export interface PackedStrings {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** Codes into categories, as in pandas; code -1 is a missing value. */
export interface CategoricalColumn {
  readonly kind: 'categorical';
  readonly codes: Int8Array | Int16Array | Int32Array;
  /** Labels in the order of their codes, as text for any `categoryType`. */
  readonly categories: readonly string[];
  /** Type of the categories in the file, so that they can be written back equal. */
  readonly categoryType: 'string' | 'boolean' | NumericType;
  readonly ordered: boolean;
  /** `#rrggbb` of each category if a user or the file chose them; otherwise figures use their own colours. */
  readonly colours?: readonly string[];
  /** Display names of the categories if chosen by a user; otherwise figures show the categories. */
  readonly labels?: readonly string[];
  /** Ontology id of each category if chosen by a user; undefined where none is. */
  readonly terms?: readonly (string | undefined)[];
}

export interface NumericColumn {
  readonly kind: 'numeric';
  readonly dtype: NumericType;
  /** n values; a missing float is NaN. int64 and uint64 are carried as Float64Array, all below 2^53 in magnitude. */
  readonly values: NumericArray;
  /** 1 for a missing nullable integer. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

/** 64-bit integers of which at least one is 2^53 or more in magnitude, where float64 merges neighbours: mostly ids. */
export interface WideIntegerColumn {
  readonly kind: 'wide-integer';
  readonly dtype: 'int64' | 'uint64';
  readonly values: WideIntegers;
  /** 1 for a missing nullable integer. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

interface BooleanColumn {
  kind: 'boolean';
  values: Uint8Array;
  /** 1 for a missing nullable boolean. Absent for plain columns. */
  missing?: Uint8Array;
}

export interface StringColumn {
  readonly kind: 'string';
  readonly strings: PackedStrings;
  /** 1 for a missing nullable string. Absent for plain columns. */
  readonly missing?: Uint8Array;
}

export type Column = CategoricalColumn | NumericColumn | WideIntegerColumn | BooleanColumn | StringColumn;

/** Data frame of n rows: `obs` (one row per cell) or `var` (one row per gene). */
export interface Table {
  readonly rowCount: number;
  /** Name of the index column in the file; `_index` if it has none. */
  readonly indexName: string;
  /** Row names: barcodes for obs, gene ids or symbols for var. */
  readonly index: PackedStrings;
  readonly columns: ReadonlyMap<string, Column>;
}

export function isCategorical(column: Column | undefined): column is CategoricalColumn {
  return column?.kind === 'categorical';
}

/**
 * Whether values read into float64 are 64-bit integers that it cannot represent exactly: one is 2^53 or more in
 * magnitude.
 */
export function isWide<T extends string>(
  type: T | NumericType,
  values: NumericArray,
): type is 'int64' | 'uint64' {
  if (type !== 'int64' && type !== 'uint64') return false;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) >= 2 ** 53) return true;
  return false;
}

export function rowsOf(column: Column): number {
  switch (column.kind) {
    case 'categorical':
      return column.codes.length;
    case 'numeric':
    case 'wide-integer':
    case 'boolean':
      return column.values.length;
    case 'string':
      return column.strings.offsets.length - 1;
  }
}

/** Names of the columns whose length differs from the table's: empty for a valid table. */
export function mismatchedColumns(table: Table): string[] {
  return [...table.columns].filter(([, column]) => rowsOf(column) !== table.rowCount).map(([name]) => name);
}

const encoder = new TextEncoder();
// Without its own mark of the byte order a name would be that of another row.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function packStrings(strings: readonly string[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  let bytes: Uint8Array = new Uint8Array(Math.max(64, strings.length * 12));
  let end = 0;
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i] ?? '';
    // A UTF-16 unit takes at most three UTF-8 bytes.
    if (end + text.length * 3 > bytes.length) bytes = grown(bytes, end + text.length * 3);
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
    offsets[i + 1] = end;
  }
  return { bytes: bytes.slice(0, end), offsets };
}

/** Throws RangeError outside 0 .. n - 1. */
export function stringAt(strings: PackedStrings, row: number): string {
  const start = strings.offsets[row];
  const end = strings.offsets[row + 1];
  if (start === undefined || end === undefined) throw new RangeError(`row ${row} is outside the column`);
  return decoder.decode(strings.bytes.subarray(start, end));
}

/** Unpacks all n strings. For genes and categories; read cells one by one instead. */
export function unpackStrings(strings: PackedStrings): string[] {
  const rows = strings.offsets.length - 1;
  const out = new Array<string>(rows);
  for (let i = 0; i < rows; i++) out[i] = stringAt(strings, i);
  return out;
}

function grown(bytes: Uint8Array, atLeast: number): Uint8Array {
  const larger = new Uint8Array(Math.max(atLeast, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
