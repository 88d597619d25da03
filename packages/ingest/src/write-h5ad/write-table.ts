import { unpackStrings } from '@cellfolio/model';
import type {
  CategoricalColumn,
  Column,
  NumericArray,
  StringColumn,
  Table,
  WideIntegerColumn,
  WideIntegers,
} from '@cellfolio/model';
import { arrayEncoding, frameEncoding, stringEncoding } from '../stream-h5ad/encodings.ts';
import { ArraySink, writeVector } from './array-sink.ts';
import type { AttributeValue, H5Output } from './h5-output.ts';

/**
 * Writes a data frame as anndata does. Types that need HDF5 enumerations, which the library cannot write, take the
 * nearest form that pandas compares equal: booleans are 0 and 1, a number column with missing values is float64 with
 * NaN, and a column of strings, or of integers that float64 cannot hold, is categorical.
 */
export function writeTable(output: H5Output, name: string, table: Table, gzip: number | undefined): void {
  writeFrame(output, name, { ...table, names: [...table.columns.keys()] });
  for (const [column, content] of table.columns) writeColumn(output, `${name}/${column}`, content, gzip);
}

/** Writes a data frame without its columns; `writeColumn` adds them. */
export function writeFrame(
  output: H5Output,
  name: string,
  { indexName, index, names }: Pick<Table, 'indexName' | 'index'> & { readonly names: readonly string[] },
): void {
  output.group(name, frameEncoding(indexName, names));
  writeStrings(output, `${name}/${indexName}`, unpackStrings(index));
}

export function writeRows(
  output: H5Output,
  name: string,
  { values, width }: { values: Float32Array | Float64Array; width: number },
  gzip: number | undefined,
): void {
  const type = values instanceof Float32Array ? 'float32' : 'float64';
  const sink = new ArraySink(output, name, { type, rows: values.length / width, width, gzip });
  sink.append(values);
  sink.close();
  output.attributes(name, arrayEncoding);
}

export function writeColumn(output: H5Output, name: string, column: Column, gzip: number | undefined): void {
  switch (column.kind) {
    case 'categorical':
      writeCategorical(output, name, column, gzip);
      return;
    case 'string':
      if (column.missing === undefined) writeStrings(output, name, unpackStrings(column.strings));
      else writeCategorical(output, name, categoriesOf(column, column.missing), gzip);
      return;
    case 'boolean':
      if (column.missing === undefined) writeNumbers(output, name, column.values, 'uint8', gzip);
      else writeNumbers(output, name, withNaN(column.values, column.missing), 'float64', gzip);
      return;
    case 'numeric':
      if (column.missing === undefined) writeNumbers(output, name, column.values, column.dtype, gzip);
      else writeNumbers(output, name, withNaN(column.values, column.missing), 'float64', gzip);
      return;
    case 'wide-integer':
      if (column.missing === undefined) writeNumbers(output, name, column.values, column.dtype, gzip);
      else writeCategorical(output, name, integerCategories(column, column.missing), gzip);
  }
}

function writeNumbers(
  output: H5Output,
  name: string,
  values: NumericArray | WideIntegers,
  type: Parameters<typeof writeVector>[3]['type'],
  gzip: number | undefined,
): void {
  writeVector(output, name, values, { type, gzip });
  output.attributes(name, arrayEncoding);
}

export function writeStrings(output: H5Output, name: string, strings: readonly string[]): void {
  output.strings(name, strings);
  output.attributes(name, stringEncoding);
}

function writeCategorical(
  output: H5Output,
  name: string,
  column: CategoricalColumn,
  gzip: number | undefined,
): void {
  const attributes: Record<string, AttributeValue> = {
    'encoding-type': 'categorical',
    'encoding-version': '0.2.0',
    ordered: { uint8: column.ordered ? 1 : 0 },
  };
  output.group(name, attributes);
  const { codes, categories, categoryType } = column;
  const codeType = codes instanceof Int8Array ? 'int8' : codes instanceof Int16Array ? 'int16' : 'int32';
  writeNumbers(output, `${name}/codes`, codes, codeType, gzip);
  if (categoryType === 'string' || categoryType === 'boolean')
    writeStrings(output, `${name}/categories`, categories);
  else if (categoryType === 'int64')
    writeNumbers(output, `${name}/categories`, BigInt64Array.from(categories, BigInt), categoryType, gzip);
  else if (categoryType === 'uint64')
    writeNumbers(output, `${name}/categories`, BigUint64Array.from(categories, BigInt), categoryType, gzip);
  else writeNumbers(output, `${name}/categories`, Float64Array.from(categories, Number), categoryType, gzip);
}

function withNaN(values: NumericArray, missing: Uint8Array): Float64Array {
  const out = Float64Array.from(values);
  for (let i = 0; i < out.length; i++) if (missing[i] === 1) out[i] = Number.NaN;
  return out;
}

function integerCategories({ values, dtype }: WideIntegerColumn, missing: Uint8Array): CategoricalColumn {
  const present = new Set<bigint>();
  values.forEach((value, row) => missing[row] !== 1 && present.add(value));
  const sorted = [...present].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const codeOf = new Map(sorted.map((value, code) => [value, code]));
  const codes = Int32Array.from(missing, (isMissing, row) =>
    isMissing === 1 ? -1 : codeOf.get(values[row]!)!,
  );
  return { kind: 'categorical', codes, categories: sorted.map(String), categoryType: dtype, ordered: false };
}

function categoriesOf(column: StringColumn, missing: Uint8Array): CategoricalColumn {
  const strings = unpackStrings(column.strings);
  const present = new Set(strings.filter((_, row) => missing[row] !== 1));
  const categories = [...present].sort();
  const codeOf = new Map(categories.map((category, code) => [category, code]));
  const codes = Int32Array.from(strings, (text, row) => (missing[row] === 1 ? -1 : (codeOf.get(text) ?? -1)));
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
