import {
  type CategoricalColumn,
  type Column,
  mismatchedColumns,
  type NumericArray,
  type NumericColumn,
  type NumericType,
  type PackedStrings,
  packStrings,
  type Table,
  type WideIntegerColumn,
  type WideIntegers,
} from '@cellfolio/model';
import {
  categoryFlags,
  categoryNumbers,
  labelsOf,
  wideCategories,
  coloursAttribute,
  labelsAttribute,
} from './decode-column.ts';
import { ShapeMismatch } from './errors.ts';
import { asType } from './numeric-arrays.ts';
import type { Attributes, ZarrType } from './zarr-metadata.ts';

export type PlannedNode =
  | { kind: 'group'; path: string; attributes: Attributes }
  | {
      kind: 'numbers';
      path: string;
      attributes: Attributes;
      type: Exclude<ZarrType, 'string'>;
      /** First the number of rows, then the shape of a row. */
      shape: readonly number[];
      values: NumericArray | WideIntegers;
      /** Maximum values per chunk, if rows are also read one at a time. */
      chunkValues?: number;
    }
  | {
      kind: 'strings';
      path: string;
      attributes: Attributes;
      strings: PackedStrings;
    };

const arrayEncoding = { 'encoding-type': 'array', 'encoding-version': '0.2.0' } as const;
const stringEncoding = { 'encoding-type': 'string-array', 'encoding-version': '0.2.0' } as const;

/** AnnData nodes of a column (its on-disk format, "Element encoding specification"). */
function encodeColumn(path: string, column: Column): PlannedNode[] {
  switch (column.kind) {
    case 'categorical':
      return encodeCategorical(path, column);
    case 'numeric': {
      const { dtype, values, missing } = column;
      if (dtype === 'float32' || dtype === 'float64') {
        return [numbers(path, dtype, missing ? withNaN(values, missing, dtype) : values)];
      }
      return integers(path, column);
    }
    case 'wide-integer':
      return integers(path, column);
    case 'boolean':
      if (!column.missing) return [numbers(path, 'bool', column.values)];
      return [
        nullable(path, 'boolean'),
        numbers(`${path}/values`, 'bool', column.values),
        mask(path, column.missing),
      ];
    case 'string':
      if (!column.missing) return [strings(path, column.strings)];
      return [
        nullable(path, 'string-array'),
        strings(`${path}/values`, column.strings),
        mask(path, column.missing),
      ];
  }
}

function integers(
  path: string,
  { dtype, values, missing }: NumericColumn | WideIntegerColumn,
): PlannedNode[] {
  if (!missing) return [numbers(path, dtype, values)];
  return [nullable(path, 'integer'), numbers(`${path}/values`, dtype, values), mask(path, missing)];
}

export function numbers(
  path: string,
  type: Exclude<ZarrType, 'string'>,
  values: NumericArray | WideIntegers,
  shape: readonly number[] = [values.length],
  attributes: Attributes = arrayEncoding,
): PlannedNode & { kind: 'numbers' } {
  return { kind: 'numbers', path, attributes, type, shape, values };
}

function strings(path: string, packed: PackedStrings): PlannedNode {
  return { kind: 'strings', path, attributes: stringEncoding, strings: packed };
}

function encodeCategorical(path: string, column: CategoricalColumn): PlannedNode[] {
  const { categories, categoryType, codes, ordered, colours } = column;
  const stored =
    categoryType === 'string'
      ? strings(`${path}/categories`, packStrings(categories))
      : categoryType === 'boolean'
        ? numbers(`${path}/categories`, 'bool', categoryFlags(categories))
        : numbers(`${path}/categories`, categoryType, storedCategories(categoryType, categories));
  const printed = stored.kind === 'numbers' ? labelsOf(categoryType, stored.values) : categories;
  const labels = printed.every((label, code) => label === categories[code])
    ? {}
    : { [labelsAttribute]: categories };
  const codeType = codes instanceof Int8Array ? 'int8' : codes instanceof Int16Array ? 'int16' : 'int32';
  return [
    {
      kind: 'group',
      path,
      attributes: {
        'encoding-type': 'categorical',
        'encoding-version': '0.2.0',
        ordered,
        ...labels,
        ...(colours && { [coloursAttribute]: colours }),
      },
    },
    stored,
    numbers(`${path}/codes`, codeType, codes),
  ];
}

function storedCategories(type: NumericType, categories: readonly string[]): NumericArray | WideIntegers {
  const wide = type === 'int64' || type === 'uint64' ? wideCategories(type, categories) : undefined;
  return wide ?? asType(type, categoryNumbers(categories));
}

function withNaN(values: NumericArray, missing: Uint8Array, type: 'float32' | 'float64'): NumericArray {
  const out = asType(type, Float64Array.from(values)) as Float32Array | Float64Array;
  for (let i = 0; i < out.length; i++) if (missing[i] === 1) out[i] = NaN;
  return out;
}

function nullable(path: string, what: 'integer' | 'boolean' | 'string-array'): PlannedNode {
  return {
    kind: 'group',
    path,
    attributes: { 'encoding-type': `nullable-${what}`, 'encoding-version': '0.1.0' },
  };
}

function mask(path: string, missing: Uint8Array): PlannedNode {
  return numbers(`${path}/mask`, 'bool', missing);
}

/** Attribute of a group: stored name to true name, for members that could not be stored under theirs. */
export const namesAttribute = 'cellfolio-names';

export function encodeFrame(
  group: string,
  { indexName, index, names }: { indexName: string; index: PackedStrings; names: readonly string[] },
  attributes: Attributes = {},
): { nodes: PlannedNode[]; pathOf: (name: string) => string } {
  // A column may be called as the index is, and may even differ from it.
  const ownIndex = names.includes(indexName) ? '_index' : indexName;
  const stored = storedNames([ownIndex, ...names]);
  const renamed = Object.fromEntries(
    [...stored].filter(([name, as]) => name !== as).map(([name, as]) => [as, name]),
  );
  const pathOf = (name: string) => `${group}/${stored.get(name)!}`;
  return {
    nodes: [
      {
        kind: 'group',
        path: group,
        attributes: {
          'encoding-type': 'dataframe',
          'encoding-version': '0.2.0',
          _index: stored.get(ownIndex)!,
          'column-order': names.map((name) => stored.get(name)!),
          ...(Object.keys(renamed).length > 0 ? { [namesAttribute]: renamed } : {}),
          ...attributes,
        },
      },
      strings(pathOf(ownIndex), index),
    ],
    pathOf,
  };
}

/** Throws ShapeMismatch if a column's length differs from the table's. */
export function encodeTable(group: 'obs' | 'var', table: Table): PlannedNode[] {
  if (table.index.offsets.length - 1 !== table.rowCount) {
    throw new ShapeMismatch(`${group}/${table.indexName}`, `not one name for each of ${table.rowCount} rows`);
  }
  const [misshapen] = mismatchedColumns(table);
  if (misshapen !== undefined) {
    throw new ShapeMismatch(`${group}/${misshapen}`, `not one value for each of ${table.rowCount} rows`);
  }
  const { indexName, index, columns } = table;
  const { nodes, pathOf } = encodeFrame(group, { indexName, index, names: [...columns.keys()] });
  return [...nodes, ...[...columns].flatMap(([name, column]) => encodeColumn(pathOf(name), column))];
}

/** Distinct storable names, unchanged where the name can be a folder and a Zarr node. */
export function storedNames(names: readonly string[]): Map<string, string> {
  const usedNames = new Set(names.filter(isStorable));
  const stored = new Map<string, string>();
  for (const name of names) {
    if (isStorable(name)) {
      stored.set(name, name);
      continue;
    }
    const base =
      [...name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^[_.]+/, '')].slice(0, 40).join('') || 'column';
    let candidate = base;
    for (let n = 2; usedNames.has(candidate) || !isStorable(candidate); n++) candidate = `${base}_${n}`;
    usedNames.add(candidate);
    stored.set(name, candidate);
  }
  return stored;
}

/** Whether a name can be a folder and a Zarr node. */
export function isStorable(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    name !== 'zarr.json' &&
    !name.startsWith('__') &&
    !/[/\\\p{Cc}]/u.test(name) &&
    Buffer.byteLength(name) <= 200
  );
}
