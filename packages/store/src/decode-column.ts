import {
  boundedNames,
  type CategoricalColumn,
  type Column,
  isWide,
  type NumericArray,
  type PackedStrings,
  packStrings,
  unpackStrings,
  type WideIntegers,
} from '@cellfolio/model';
import type { ZarrReader, RowRange } from './zarr-reader.ts';

/** Attribute of a categorical with its labels, if they differ from its printed stored categories. */
export const labelsAttribute = 'cellfolio-labels';
/** Attribute of a categorical with the colours of its categories. */
export const coloursAttribute = 'cellfolio-colors';

export function categoryNumbers(labels: readonly string[]): Float64Array {
  return Float64Array.from(labels, (label) => {
    const text = label.trim().toLowerCase();
    if (text === 'inf' || text === '+inf') return Infinity;
    if (text === '-inf') return -Infinity;
    return Number(text);
  });
}

/** The same for 64-bit integers; undefined if float64 holds them all, or a label is not an integer. */
export function wideCategories(
  type: 'int64' | 'uint64',
  labels: readonly string[],
): WideIntegers | undefined {
  if (!labels.every((label) => /^-?\d+$/.test(label))) return undefined;
  const values = labels.map(BigInt);
  if (values.every((value) => value < 2n ** 53n && value > -(2n ** 53n))) return undefined;
  return type === 'int64' ? BigInt64Array.from(values) : BigUint64Array.from(values);
}

/** 1 for the label of true, in any spelling of Python, R and JavaScript. */
export function categoryFlags(labels: readonly string[]): Uint8Array {
  return Uint8Array.from(labels, (label) => (/^(true|t|1|1\.0|yes)$/i.test(label.trim()) ? 1 : 0));
}

/** Labels of stored categories that are not text: as Python prints them. */
export function labelsOf(
  type: CategoricalColumn['categoryType'],
  values: NumericArray | WideIntegers,
): string[] {
  return Array.from<number | bigint, string>(values, (value) => {
    if (type === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'number' && (type === 'float32' || type === 'float64')) {
      if (Number.isNaN(value)) return 'nan';
      if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
      return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
    }
    return String(value);
  });
}

/** Reads all or some rows of a column stored in any current AnnData encoding. Throws DatasetDamaged. */
export async function decodeColumn(
  nodes: ZarrReader,
  path: string,
  signal?: AbortSignal,
  rows?: RowRange,
): Promise<Column> {
  const node = nodes.node(path);
  if (node.node_type === 'array') {
    if (node.data_type === 'string') {
      return { kind: 'string', strings: await nodes.strings(path, signal, rows) };
    }
    return decodeNumbers(nodes, path, signal, rows);
  }
  const encoding = node.attributes['encoding-type'];
  switch (encoding) {
    case 'categorical':
      return decodeCategorical(nodes, path, signal, rows);
    case 'nullable-integer':
    case 'nullable-boolean': {
      const [column, mask] = await Promise.all([
        decodeNumbers(nodes, `${path}/values`, signal, rows),
        nodes.numbers(`${path}/mask`, signal, rows),
      ]);
      return { ...column, missing: mask.values as Uint8Array };
    }
    case 'nullable-string-array': {
      const [strings, mask] = await Promise.all([
        nodes.strings(`${path}/values`, signal, rows),
        nodes.numbers(`${path}/mask`, signal, rows),
      ]);
      return { kind: 'string', strings, missing: mask.values as Uint8Array };
    }
  }
  throw nodes.damaged(path, `it has the encoding ${String(encoding)}, which is not that of a column`);
}

/** A column as text, missing values as ''. For names of genes, not of cells. */
export function columnText(column: Column): PackedStrings {
  if (column.kind === 'string' && !column.missing) return column.strings;
  if (column.kind === 'string') {
    const { strings, missing } = column;
    return packStrings(unpackStrings(strings).map((text, row) => (missing?.[row] ? '' : text)));
  }
  if (column.kind === 'categorical') {
    return packStrings(Array.from(column.codes, (code) => column.categories[code] ?? ''));
  }
  const { values, missing } = column;
  return packStrings(
    Array.from<number | bigint, string>(values, (value, row) => (missing?.[row] ? '' : String(value))),
  );
}

async function decodeNumbers(
  nodes: ZarrReader,
  path: string,
  signal?: AbortSignal,
  rows?: RowRange,
): Promise<Column & { kind: 'numeric' | 'wide-integer' | 'boolean' }> {
  const { type, values, exact } = await nodes.numbers(path, signal, rows);
  if (type === 'bool') return { kind: 'boolean', values: values as Uint8Array };
  if (exact && isWide(type, values)) return { kind: 'wide-integer', dtype: type, values: exact };
  return { kind: 'numeric', dtype: type, values };
}

/**
 * Labels that exceed the maximum name length are cut, each to a distinct one: all readers of the column see the same.
 */
async function decodeCategorical(
  nodes: ZarrReader,
  path: string,
  signal?: AbortSignal,
  rows?: RowRange,
): Promise<CategoricalColumn> {
  const { values: codes } = await nodes.numbers(`${path}/codes`, signal, rows);
  if (!isCodes(codes)) throw nodes.damaged(`${path}/codes`, 'they are not signed integers');
  const attributes = nodes.attributes(path);
  const stored = nodes.array(`${path}/categories`);
  const ordered = attributes['ordered'] === true;
  const labels = attributes[labelsAttribute];
  const colours = attributes[coloursAttribute];
  const chosen = Array.isArray(colours) ? { colours: colours as string[] } : {};
  if (stored.data_type === 'string') {
    const categories = boundedNames(unpackStrings(await nodes.strings(`${path}/categories`, signal)));
    return { kind: 'categorical', codes, categories, categoryType: 'string', ordered, ...chosen };
  }
  const categoryType = stored.data_type === 'bool' ? 'boolean' : stored.data_type;
  const categories = Array.isArray(labels)
    ? boundedNames(labels as string[])
    : labelsOf(categoryType, (await decodeNumbers(nodes, `${path}/categories`, signal)).values);
  return { kind: 'categorical', codes, categories, categoryType, ordered, ...chosen };
}

function isCodes(values: NumericArray): values is Int8Array | Int16Array | Int32Array {
  return values instanceof Int8Array || values instanceof Int16Array || values instanceof Int32Array;
}
