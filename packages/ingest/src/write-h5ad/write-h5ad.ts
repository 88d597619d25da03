import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import {
  mismatchedColumns,
  proteinUnit,
  proteinUnsKeys,
  type Table,
  unpackStrings,
  type CategoricalColumn,
  type Column,
  type NumericArray,
  type StringColumn,
  type WideIntegerColumn,
  type WideIntegers,
} from '@cellfolio/model';
import { proteinsPath } from '@cellfolio/store';
import {
  anndataEncoding,
  arrayEncoding,
  dictEncoding,
  maxInt32,
  proteinFrame,
  sparseEncoding,
  frameEncoding,
  stringEncoding,
} from '../stream-h5ad/encodings.ts';
import {
  H5adWriteFailed,
  type H5adContent,
  type WriteH5adOptions,
  type DenseBlock,
  type MatrixContent,
  type SparseBlock,
} from './h5ad-content.ts';
import { H5Output, type AttributeValue } from './h5-output.ts';
import { ArraySink, RoundedCount, writeVector } from './array-sink.ts';

export type FloatType = 'float32' | 'float64';

/**
 * Like `writeH5ad`, for values whose number type is only clear after reading: writes float32, then again float64 if
 * float32 would turn a value into a different integer. Other values are rounded to float32, like expression.
 * `contentOf` returns the content in a float type; its blocks start from the beginning each time.
 */
export async function writeFloatsH5ad(
  path: string,
  contentOf: (floats: FloatType) => H5adContent,
  options: WriteH5adOptions = {},
): Promise<void> {
  try {
    await writeH5ad(path, contentOf('float32'), { ...options, refuseRoundedCounts: true });
  } catch (error) {
    if (!(error instanceof H5adWriteFailed && error.cause instanceof RoundedCount)) throw error;
    await writeH5ad(path, contentOf('float64'), options);
  }
}

/**
 * Writes an .h5ad file in current anndata encodings (readable by 0.8 and later). Matrices come in blocks, so memory is
 * bounded by the largest block and by obs. The file appears at `path` once it is complete. Throws H5adWriteFailed, or
 * the signal's reason when aborted.
 */
export async function writeH5ad(
  path: string,
  content: H5adContent,
  options: WriteH5adOptions = {},
): Promise<void> {
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  let output: H5Output | undefined;
  try {
    checkTable('obs', content.obs);
    checkTable('var', content.var);
    // Made by Node first: its error says what the library's does not.
    await writeFile(partial, '', { flag: 'wx' });
    output = await H5Output.create(partial, path);
    await writeContent(output, content, options);
    output.close();
    await rename(partial, path);
  } catch (cause) {
    try {
      output?.close();
    } catch {
      // The first failure is the one to report.
    }
    await rm(partial, { force: true });
    if (options.signal?.aborted === true || cause instanceof H5adWriteFailed) throw cause;
    throw new H5adWriteFailed(path, 'content', cause instanceof Error ? cause.message : String(cause), {
      cause,
    });
  }
}

async function writeContent(
  output: H5Output,
  content: H5adContent,
  options: WriteH5adOptions,
): Promise<void> {
  const { gzip } = options;
  const cells = content.obs.rowCount;
  const genes = content.var.rowCount;
  output.group('', anndataEncoding);
  for (const name of ['layers', 'obsm', 'obsp', 'uns', 'varm', 'varp']) output.group(name, dictEncoding);
  writeTable(output, 'obs', content.obs, gzip);
  writeTable(output, 'var', content.var, gzip);
  for (const { name, values, dimensions: width } of content.obsm ?? []) {
    if (values.length !== cells * width)
      throw new RangeError(`obsm/${name} has ${values.length} values for ${cells} cells`);
    writeRows(output, `obsm/${name}`, { values, width }, gzip);
  }
  await writeProteins(output, content, options);
  await writeMatrix(output, 'X', { content: content.X, size: { cells, genes } }, options);
  for (const [name, layer] of Object.entries(content.layers ?? {}))
    await writeMatrix(output, `layers/${name}`, { content: layer, size: { cells, genes } }, options);
  if (content.raw === undefined) return;
  output.group('raw', { 'encoding-type': 'raw', 'encoding-version': '0.1.0' });
  checkTable('raw/var', content.raw.var);
  writeTable(output, 'raw/var', content.raw.var, gzip);
  output.group('raw/varm', dictEncoding);
  const size = { cells, genes: content.raw.var.rowCount };
  await writeMatrix(output, 'raw/X', { content: content.raw.X, size }, options);
}

async function writeProteins(
  output: H5Output,
  { obs: { index, rowCount: cells }, proteins }: H5adContent,
  options: WriteH5adOptions,
): Promise<void> {
  if (proteins === undefined) return;
  const { scale, names, values } = proteins;
  writeStrings(output, `uns/${proteinUnsKeys.names}`, names);
  if (scale !== undefined) writeStrings(output, `uns/${proteinUnsKeys.unit}`, [proteinUnit(scale)]);
  if ('format' in values) {
    const size = { cells, genes: names.length };
    return writeMatrix(output, proteinsPath, { content: values, size }, options);
  }
  const columns = proteinFrame.columns(names);
  writeFrame(output, proteinsPath, { indexName: proteinFrame.indexName, index, names: columns });
  let at = 0;
  for await (const column of values) {
    options.signal?.throwIfAborted();
    writeColumn(output, `${proteinsPath}/${columns[at++]}`, column, options.gzip);
  }
}

function checkTable(name: string, table: Table): void {
  const wrong = mismatchedColumns(table);
  if (wrong.length > 0)
    throw new RangeError(`${name} has ${table.rowCount} rows, but not in the columns ${wrong.join(', ')}`);
  if (table.index.offsets.length - 1 !== table.rowCount)
    throw new RangeError(`${name} has ${table.rowCount} rows and ${table.index.offsets.length - 1} names`);
}

interface MatrixSize {
  cells: number;
  genes: number;
}

/** Writes a matrix block by block. Throws RangeError if the blocks do not add up to the size. */
async function writeMatrix(
  output: H5Output,
  name: string,
  { content, size }: { content: MatrixContent; size: MatrixSize },
  options: WriteH5adOptions,
): Promise<void> {
  if (content.format === 'dense') {
    const { cells: rows, genes: width } = size;
    const { gzip, refuseRoundedCounts } = options;
    const sink = new ArraySink(output, name, { type: content.dtype, rows, width, gzip, refuseRoundedCounts });
    let done = 0;
    for await (const block of content.blocks as AsyncIterable<DenseBlock>) {
      options.signal?.throwIfAborted();
      sink.append(block.values);
      done += block.values.length;
      options.onProgress?.({ part: name, done });
    }
    sink.close();
    output.attributes(name, arrayEncoding);
    return;
  }
  output.group(name, sparseEncoding(content.format, [size.cells, size.genes]));
  await writeSparse(output, name, { content, size }, options);
}

async function writeSparse(
  output: H5Output,
  name: string,
  { content, size }: { content: MatrixContent & { format: 'csr' | 'csc' }; size: MatrixSize },
  options: WriteH5adOptions,
): Promise<void> {
  const majors = content.format === 'csr' ? size.cells : size.genes;
  const { gzip, refuseRoundedCounts } = options;
  const rows = content.valueCount;
  const data = new ArraySink(output, `${name}/data`, {
    type: content.dtype,
    rows,
    gzip,
    refuseRoundedCounts,
  });
  const indices = new ArraySink(output, `${name}/indices`, { type: 'int32', rows, gzip });
  const indptr = new Float64Array(majors + 1);
  let major = 0;
  let entries = 0;
  for await (const block of content.blocks as AsyncIterable<SparseBlock>) {
    options.signal?.throwIfAborted();
    const count = block.indptr.length - 1;
    const blockEntries = block.indptr[count] ?? 0;
    if (major + count > majors) throw new RangeError(`${name} has ${majors} rows and more came`);
    if (block.indices.length !== blockEntries || block.values.length !== blockEntries)
      throw new RangeError(`${name}: indptr, indices and values of a block disagree`);
    for (let i = 1; i <= count; i++) indptr[major + i] = entries + block.indptr[i]!;
    data.append(block.values);
    indices.append(block.indices);
    major += count;
    entries += blockEntries;
    options.onProgress?.({ part: name, done: entries });
  }
  if (major !== majors) throw new RangeError(`${name} has ${majors} rows and ${major} came`);
  data.close();
  indices.close();
  writeVector(output, `${name}/indptr`, indptr, { type: entries > maxInt32 ? 'int64' : 'int32', gzip });
}

/**
 * Writes a data frame as anndata does. Types that need HDF5 enumerations, which the library cannot write, take the
 * nearest form that pandas compares equal: booleans are 0 and 1, a number column with missing values is float64 with
 * NaN, and a column of strings, or of integers that float64 cannot hold, is categorical.
 */
function writeTable(output: H5Output, name: string, table: Table, gzip: number | undefined): void {
  writeFrame(output, name, { ...table, names: [...table.columns.keys()] });
  for (const [column, content] of table.columns) writeColumn(output, `${name}/${column}`, content, gzip);
}

/** Writes a data frame without its columns; `writeColumn` adds them. */
function writeFrame(
  output: H5Output,
  name: string,
  { indexName, index, names }: Pick<Table, 'indexName' | 'index'> & { names: readonly string[] },
): void {
  output.group(name, frameEncoding(indexName, names));
  writeStrings(output, `${name}/${indexName}`, unpackStrings(index));
}

function writeRows(
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

function writeColumn(output: H5Output, name: string, column: Column, gzip: number | undefined): void {
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

function writeStrings(output: H5Output, name: string, strings: readonly string[]): void {
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
