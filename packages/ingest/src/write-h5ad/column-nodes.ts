import {
  type CategoricalColumn,
  type Column,
  isCategorical,
  type NumericArray,
  packStrings,
  type PackedStrings,
  type WideIntegers,
} from '@cellfolio/model';
import { arrayEncoding, stringEncoding } from './encodings.ts';
import { arrayTypes, type ElementType } from './h5-messages.ts';
import type { H5Array, H5Node } from './lay-out-file.ts';

/** Arrays of a column: `values` for numbers and strings, `codes` for categories, `missing` for nullable columns. */
export type ColumnPart = 'values' | 'codes' | 'missing';

export function arrayNode<Source>(
  type: ElementType,
  shape: readonly number[],
  content: H5Array<Source>['content'],
): H5Array<Source> {
  return {
    kind: 'array',
    type,
    shape,
    content,
    attributes: type === 'string' ? stringEncoding : arrayEncoding,
  };
}

/**
 * Column in the anndata encoding. Only the column's type and categories are used, so it may have no rows. Nullable
 * strings need anndata 0.12 or later, all else 0.8 or later.
 */
export function columnNode<Source>(
  column: Column,
  rows: number,
  contentOf: (part: ColumnPart) => H5Array<Source>['content'],
): H5Node<Source> {
  if (isCategorical(column)) {
    return {
      kind: 'group',
      attributes: {
        'encoding-type': 'categorical',
        'encoding-version': '0.2.0',
        ordered: { bool: column.ordered },
      },
      members: new Map<string, H5Node<Source>>([
        ['codes', arrayNode(codeTypeOf(column), [rows], contentOf('codes'))],
        ['categories', categoriesNode(column)],
      ]),
    };
  }
  const values = arrayNode(typeOf(column), [rows], contentOf('values'));
  if (!column.missing) return values;
  const encoding = { boolean: 'nullable-boolean', string: 'nullable-string-array' } as Record<string, string>;
  return {
    kind: 'group',
    attributes: {
      'encoding-type': encoding[column.kind] ?? 'nullable-integer',
      'encoding-version': '0.1.0',
      ...(column.kind === 'string' && { 'na-value': 'NA' }),
    },
    members: new Map<string, H5Node<Source>>([
      ['values', values],
      ['mask', arrayNode<Source>('bool', [rows], contentOf('missing'))],
    ]),
  };
}

export function columnContent(column: Column, part: ColumnPart): Uint8Array | PackedStrings {
  if (isCategorical(column)) return bytesOf(column.codes);
  if (part === 'missing') return column.missing ?? new Uint8Array(0);
  if (column.kind === 'string') return column.strings;
  return bytesOf(stored(column.values, typeOf(column)));
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function stringNode<Source>(strings: readonly string[]): H5Array<Source> {
  return arrayNode('string', [strings.length], packStrings(strings));
}

function typeOf(column: Exclude<Column, CategoricalColumn>): ElementType {
  if (column.kind === 'string') return 'string';
  return column.kind === 'boolean' ? 'bool' : column.dtype;
}

function codeTypeOf({ codes }: CategoricalColumn): ElementType {
  if (codes instanceof Int8Array) return 'int8';
  return codes instanceof Int16Array ? 'int16' : 'int32';
}

function categoriesNode<Source>({ categories, categoryType }: CategoricalColumn): H5Array<Source> {
  const shape = [categories.length];
  if (categoryType === 'string') return stringNode(categories);
  if (categoryType === 'boolean') {
    const flags = Uint8Array.from(categories, (label) =>
      /^(?:true|t|1|1\.0|yes)$/i.test(label.trim()) ? 1 : 0,
    );
    return arrayNode('bool', shape, flags);
  }
  if (categoryType === 'int64' || categoryType === 'uint64') {
    if (!categories.every((label) => /^-?\d+$/.test(label)))
      return arrayNode('float64', shape, bytesOf(Float64Array.from(categories, numberOf)));
    return arrayNode(categoryType, shape, bytesOf(arrayTypes[categoryType].from(categories.map(BigInt))));
  }
  const values = new arrayTypes[categoryType](categories.length);
  values.set(categories.map(numberOf));
  return arrayNode(categoryType, shape, bytesOf(values));
}

function numberOf(label: string): number {
  const infinite = /^\s*([+-]?)inf\s*$/i.exec(label);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return Number(label);
}

/** 64-bit integers are carried as float64 if it holds them exactly. */
function stored(values: NumericArray | WideIntegers, type: ElementType): NumericArray | WideIntegers {
  if (!(values instanceof Float64Array)) return values;
  if (type === 'int64') return BigInt64Array.from(values, BigInt);
  return type === 'uint64' ? BigUint64Array.from(values, BigInt) : values;
}
