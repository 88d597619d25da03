import {
  type Column,
  type PackedStrings,
  stringAt,
  unpackStrings,
  type CategoricalColumn,
  type NumericArray,
  isWide,
  type NumericColumn,
  type WideIntegerColumn,
  packStrings,
  quotedHead,
  rowsOf,
} from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import {
  decodeNumbers,
  decodeWideIntegers,
  numericArray,
  wideArray,
  type Elements,
} from '../hdf5/decode-elements.ts';
import type { DatasetInfo, ElementType } from '../hdf5/element-type.ts';

/**
 * Row names; numbers are converted to text, since older files may have them. Throws H5adError for other types, and for
 * a missing name.
 */
export function rowNames(file: Hdf5File, path: string, what: 'obs' | 'var'): PackedStrings {
  const column = readColumn(file, path, undefined);
  if (typeof column === 'string') {
    const text = `In Python: adata.${what}_names = adata.${what}_names.astype(str), and write the file again.`;
    throw noNames(file, path, what, `its row names cannot be read: ${column}.`, text);
  }
  assertNamed(file, path, what, column);
  if (column.kind === 'string') return column.strings;
  if (column.kind === 'categorical') return packStrings(columnTexts(column) ?? []);
  if (column.kind === 'boolean')
    throw noNames(file, path, what, 'its row names are neither text nor numbers.');
  return decimalStrings(column);
}

function assertNamed(file: Hdf5File, path: string, what: 'obs' | 'var', column: Column): void {
  const isMissing =
    column.kind === 'categorical'
      ? Uint8Array.from(column.codes, (code) => (code < 0 ? 1 : 0))
      : (column.missing ?? new Uint8Array());
  const row = isMissing.indexOf(1);
  if (row < 0) return;
  const others = isMissing.reduce((sum, one) => sum + one, -1);
  throw noNames(
    file,
    path,
    what,
    `the name of row ${row} is missing${others === 0 ? '' : `, and so are those of ${others} more rows`}.`,
    `In Python: adata.${what}_names = adata.${what}_names.fillna("unnamed"), adata.${what}_names_make_unique(), and write the file again.`,
  );
}

/** Text of each row, empty if missing; undefined for a column of another type. */
export function columnTexts(column: Column): string[] | undefined {
  if (column.kind === 'string') {
    const rows = column.strings.offsets.length - 1;
    return Array.from({ length: rows }, (_, row) =>
      column.missing?.[row] === 1 ? '' : stringAt(column.strings, row),
    );
  }
  if (column.kind !== 'categorical' || column.categoryType !== 'string') return undefined;
  return Array.from(column.codes, (code) => column.categories[code] ?? '');
}

/** A column, or the reason why it cannot be imported. */
export function readColumn(
  file: Hdf5File,
  path: string,
  categoriesPath: string | undefined,
): Column | string {
  if (file.kind(path) === 'group') return groupColumn(file, path);
  if (file.kind(path) === undefined)
    return 'nothing is found under its name: it is a link to nothing, or its name is not UTF-8';
  const info = file.dataset(path);
  const reference = file.text(path, 'categories') ?? categoriesPath;
  if (reference !== undefined && file.kind(reference) === 'dataset') {
    return categorical(file, info, reference, isTrue(file.attribute(reference, 'ordered')));
  }
  return plainColumn(file, info);
}

/** Converts numeric booleans: not every program writes HDF5's enumeration of FALSE and TRUE. */
function asBooleans<C extends Column>(column: C): C | Extract<Column, { kind: 'boolean' }> {
  if (column.kind !== 'numeric') return column;
  return { kind: 'boolean', values: Uint8Array.from(column.values, (value) => (value === 0 ? 0 : 1)) };
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

const nested = 'its categories are themselves categorical';

function isCategorical(file: Hdf5File, path: string): boolean {
  return file.text(path, 'encoding-type') === 'categorical' || file.kind(`${path}/codes`) === 'dataset';
}

function groupColumn(file: Hdf5File, path: string): Column | string {
  const encoding = file.text(path, 'encoding-type') ?? '';
  if (isCategorical(file, path)) {
    return categorical(
      file,
      file.dataset(`${path}/codes`),
      `${path}/categories`,
      isTrue(file.attribute(path, 'ordered')),
    );
  }
  if (encoding.startsWith('nullable-')) return nullableColumn(file, path, encoding);
  return otherEncoding(file, path);
}

export function otherEncoding(file: Hdf5File, path: string): string {
  const encoding = file.text(path, 'encoding-type') ?? '';
  return encoding === '' ? 'it is a group of an unknown kind' : `it is encoded as ${quotedHead(encoding)}`;
}

/** Values with a mask of missing ones: pandas text, integers or booleans. */
function nullableColumn(file: Hdf5File, path: string, encoding: string): Column | string {
  const [valuesPath, maskPath] = [`${path}/values`, `${path}/mask`];
  if (file.kind(valuesPath) !== 'dataset' || file.kind(maskPath) !== 'dataset')
    return `it is encoded as ${quotedHead(encoding)}, without values or without their mask`;
  const read = plainColumn(file, file.dataset(valuesPath));
  if (typeof read === 'string' || read.kind === 'categorical') return 'its values cannot be read';
  const values = encoding === 'nullable-boolean' ? asBooleans(read) : read;
  const missing = Uint8Array.from(file.numbers(file.dataset(maskPath)), (lost) => (lost === 0 ? 0 : 1));
  if (missing.length !== rowsOf(values))
    return `its mask is of ${missing.length} values and it has ${rowsOf(values)}`;
  // Text has no mask where none is missing, as that of files without masks.
  return missing.includes(1) || values.kind !== 'string' ? { ...values, missing } : values;
}

function categorical(
  file: Hdf5File,
  codes: DatasetInfo,
  categories: string,
  ordered: boolean,
): Column | string {
  const from = readCategories(file, categories);
  return typeof from === 'string'
    ? from
    : categoricalColumn(file, codes.path, file.numbers(codes), from, ordered);
}

export function readCategories(file: Hdf5File, path: string): Categories | string {
  // Not even looked at: links can make a categorical its own categories, and theirs, without end.
  if (file.kind(path) === 'group' && isCategorical(file, path)) return nested;
  const labels = groupOrPlain(file, path);
  if (typeof labels === 'string') return labels;
  if (labels.kind !== 'categorical' && labels.missing?.includes(1) === true)
    return 'one of its categories is missing';
  switch (labels.kind) {
    case 'string':
      return { strings: labels.strings, type: 'string' };
    case 'boolean':
      return {
        values: Array.from(labels.values, (value) => (value === 1 ? 'True' : 'False')),
        type: 'boolean',
      };
    case 'numeric':
    case 'wide-integer':
      return { strings: decimalStrings(labels), type: labels.dtype };
    case 'categorical':
      return nested;
  }
}

function groupOrPlain(file: Hdf5File, path: string): Column | string {
  return file.kind(path) === 'group' ? groupColumn(file, path) : plainColumn(file, file.dataset(path));
}

function plainColumn(file: Hdf5File, info: DatasetInfo): Column | string {
  if (info.shape.length !== 1) return `it has ${info.shape.length} dimensions`;
  const { type } = info;
  switch (type.kind) {
    case 'string':
      return { kind: 'string', strings: file.strings(info) };
    case 'boolean':
      return { kind: 'boolean', values: Uint8Array.from(file.numbers(info)) };
    case 'number':
      return numberColumn(type, info.shape[0]!, (use) => file.eachSlice(info, use));
    default:
      return `its values are of type ${type.kind}`;
  }
}

export function noNames(
  file: Hdf5File,
  part: string,
  what: 'obs' | 'var',
  problem: string,
  hint = `${what === 'obs' ? 'Cells' : 'Genes'} need names: set adata.${what}_names and write the file again.`,
): H5adError {
  return new H5adError({
    code: what === 'obs' ? 'no-obs-names' : 'no-var-names',
    path: file.path,
    part,
    problem,
    hint,
  });
}

interface Categories {
  strings?: PackedStrings;
  values?: readonly string[];
  type: CategoricalColumn['categoryType'];
}

/**
 * Joins codes and categories. Throws `index-out-of-range` for a code without a category, `repeated-category` for two
 * categories of one name, which would merge into a group that the file does not have.
 */
export function categoricalColumn(
  file: Hdf5File,
  part: string,
  codes: NumericArray,
  from: Categories,
  ordered: boolean,
): CategoricalColumn {
  const categories = from.values ?? (from.strings === undefined ? [] : unpackStrings(from.strings));
  const limit = categories.length;
  if (new Set(categories).size < limit) throw repeatedCategory(file, part, categories);
  const out =
    limit <= 128
      ? new Int8Array(codes.length)
      : limit <= 32_768
        ? new Int16Array(codes.length)
        : new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (!(code < limit)) {
      throw new H5adError({
        code: 'index-out-of-range',
        path: file.path,
        part,
        problem: `row ${i} has category ${code}, but there are ${limit} categories.`,
        hint: 'The file is damaged; write it again with anndata.',
      });
    }
    // Missing is -1; older files may hold other negative codes.
    out[i] = code < 0 ? -1 : code;
  }
  return { kind: 'categorical', codes: out, categories, categoryType: from.type, ordered };
}

function repeatedCategory(file: Hdf5File, part: string, categories: readonly string[]): H5adError {
  const before = new Set<string>();
  const label = categories.find((one) => before.size === before.add(one).size)!;
  return new H5adError({
    code: 'repeated-category',
    path: file.path,
    part: part.replace(/\/codes$/, ''),
    problem: `two of its categories are called ${quotedHead(label)}, so their cells cannot be distinguished.`,
    hint: 'Give each category a name of its own, or leave the column out, and write the file again.',
  });
}

type EachSlice = (use: (elements: Elements, row: number) => void) => void;

/** A numeric column. 64-bit integers are read again if float64 cannot represent them exactly. */
export function numberColumn(
  type: ElementType & { kind: 'number' },
  rows: number,
  eachSlice: EachSlice,
): NumericColumn | WideIntegerColumn {
  const values = numericArray(type.dtype, rows);
  eachSlice((elements, row) => decodeNumbers(elements, type, values, row));
  const dtype = type.dtype === 'float16' ? 'float32' : type.dtype;
  if (!isWide(dtype, values)) return { kind: 'numeric', dtype, values };
  const wide = wideArray(dtype, rows);
  eachSlice((elements, row) => decodeWideIntegers(elements, type.littleEndian, wide, row));
  return { kind: 'wide-integer', dtype, values: wide };
}

/** Numbers as text, in Python's notation: 3 for an integer, 0.5 or 3.0 for a float. */
export function decimalStrings(column: NumericColumn | WideIntegerColumn): PackedStrings {
  if (column.kind === 'wide-integer') return packStrings(Array.from(column.values, String));
  const text = column.dtype.startsWith('float') ? pythonFloat : String;
  return packStrings(Array.from(column.values, (value) => text(value)));
}

function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
}
