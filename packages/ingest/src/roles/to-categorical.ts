import { stringAt, type CategoricalColumn, type Column, type PackedStrings } from '@cellfolio/model';
import { longLabel } from '../layout/long-names.ts';

/** Maximum number of categories that a legend or menu can show. */
export const maxCategories = 200;

/**
 * Converts a column of few distinct values to categories, in the order of pandas (text by code point, numbers by size);
 * undefined if there are more than `maxCategories`, a label is longer than a name may be, or numbers have fractions.
 */
export function toCategorical(column: Column): CategoricalColumn | undefined {
  switch (column.kind) {
    case 'categorical':
      return longLabel(column) === undefined ? column : undefined;
    case 'string':
      if (longLabel(column) !== undefined) return undefined;
      return fromStrings(column.strings, column.missing);
    case 'boolean':
      return fromNumbers(column.values, column.missing, 'boolean', (value) =>
        value === 1 ? 'True' : 'False',
      );
    case 'numeric': {
      // Cluster numbers are whole; measurements are not categories however few there are.
      if (
        column.dtype.startsWith('float') &&
        !column.values.every((v) => Number.isNaN(v) || Number.isInteger(v))
      ) {
        return undefined;
      }
      const text = column.dtype.startsWith('float') ? (value: number) => value.toFixed(1) : String;
      return fromNumbers(column.values, column.missing, column.dtype, text);
    }
    case 'wide-integer':
      return fromNumbers<bigint>(column.values, column.missing, column.dtype, String);
  }
}

function fromStrings(strings: PackedStrings, missing: Uint8Array | undefined): CategoricalColumn | undefined {
  const rows = strings.offsets.length - 1;
  const codeOf = new Map<string, number>();
  const first = new Int32Array(rows).fill(-1);
  for (let row = 0; row < rows; row++) {
    if (missing?.[row] === 1) continue;
    const label = stringAt(strings, row);
    let code = codeOf.get(label);
    if (code === undefined) {
      code = codeOf.size;
      if (code === maxCategories) return undefined;
      codeOf.set(label, code);
    }
    first[row] = code;
  }
  const labels = [...codeOf.keys()];
  return sorted(first, labels, byCodePoint, (label) => label, 'string');
}

function fromNumbers<T extends number | bigint>(
  values: ArrayLike<T>,
  missing: Uint8Array | undefined,
  categoryType: CategoricalColumn['categoryType'],
  text: (value: T) => string,
): CategoricalColumn | undefined {
  const codeOf = new Map<T, number>();
  const first = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (missing?.[row] === 1 || Number.isNaN(value)) continue;
    let code = codeOf.get(value);
    if (code === undefined) {
      code = codeOf.size;
      if (code === maxCategories) return undefined;
      codeOf.set(value, code);
    }
    first[row] = code;
  }
  return sorted(first, [...codeOf.keys()], (a, b) => (a < b ? -1 : a > b ? 1 : 0), text, categoryType);
}

function sorted<T>(
  first: Int32Array,
  labels: T[],
  compare: (a: T, b: T) => number,
  text: (label: T) => string,
  categoryType: CategoricalColumn['categoryType'],
): CategoricalColumn {
  const order = labels.map((_, code) => code).sort((a, b) => compare(labels[a]!, labels[b]!));
  const rank = new Int16Array(labels.length);
  order.forEach((code, position) => (rank[code] = position));
  const codes = labels.length <= 128 ? new Int8Array(first.length) : new Int16Array(first.length);
  for (let row = 0; row < first.length; row++) codes[row] = first[row]! < 0 ? -1 : rank[first[row]!]!;
  return {
    kind: 'categorical',
    codes,
    categories: order.map((code) => text(labels[code]!)),
    categoryType,
    ordered: false,
  };
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
