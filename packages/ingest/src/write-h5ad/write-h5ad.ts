import {
  type CategoricalColumn,
  type Column,
  mismatchedColumns,
  type NumericArray,
  proteinUnit,
  proteinUnsKeys,
  rowsOf,
  type StringColumn,
  type Table,
  unpackStrings,
  type WideIntegerColumn,
} from '@cellfolio/model';
import { proteinsPath } from '@cellfolio/store';
import { arrayNode, bytesOf, columnContent, columnNode, stringNode } from './column-nodes.ts';
import { arrayEncoding, maxInt32, proteinFrame } from './encodings.ts';
import { ArrayWriter, H5File, RoundedCount, type StoredNode } from './h5-file.ts';
import type {
  DenseBlock,
  H5adContent,
  MatrixContent,
  SparseBlock,
  WriteH5adOptions,
} from './h5ad-content.ts';
import { anndataNode, dictNode, frameNode, sparseNode, unsNodes } from './h5ad-nodes.ts';
import type { H5Group } from './lay-out-file.ts';

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
    if (!(error instanceof RoundedCount)) throw error;
    await writeH5ad(path, contentOf('float64'), options);
  }
}

/**
 * Writes an .h5ad file in current anndata encodings (readable by 0.8 and later). Matrices come in blocks, so memory is
 * bounded by the largest block and by obs. The file appears at `path` once it is complete. Throws H5adWriteFailed, what
 * the blocks throw, or the signal's reason when aborted.
 */
export function writeH5ad(path: string, content: H5adContent, options: WriteH5adOptions = {}): Promise<void> {
  return H5File.write(path, (file) => storedContent({ file, options }, content));
}

interface Target {
  file: H5File;
  options: WriteH5adOptions;
}

async function storedContent(to: Target, content: H5adContent): Promise<H5Group<never>> {
  const { obs, var: genes, X, obsm = [], layers = {}, raw, uns = {} } = content;
  const size = { cells: obs.rowCount, genes: genes.rowCount };
  const frames = { obs: storedTable(to, 'obs', obs), var: storedTable(to, 'var', genes) };
  const embeddings = obsm.map(({ name, values, dimensions }) => {
    if (values.length !== size.cells * dimensions)
      throw to.file.failure(`obsm/${name}`, `it has ${values.length} values for ${size.cells} cells`);
    const type = values instanceof Float32Array ? 'float32' : 'float64';
    const node = arrayNode<never>(type, [size.cells, dimensions], bytesOf(values));
    return [name, stored(to, `obsm/${name}`, node)] as const;
  });
  const proteins = await storedProteins(to, content);
  const layerNodes: (readonly [string, StoredNode])[] = [];
  const main = await storedMatrix(to, 'X', { content: X, size });
  for (const [name, layer] of Object.entries(layers))
    layerNodes.push([name, await storedMatrix(to, `layers/${name}`, { content: layer, size })]);
  return anndataNode<never>({
    ...frames,
    X: main,
    obsm: [...embeddings, ...proteins.obsm],
    layers: layerNodes,
    uns: dictNode(
      [...unsNodes<never>(uns), ...proteins.uns].map(([name, node]) => [
        name,
        stored(to, `uns/${name}`, node),
      ]),
    ),
    raw: raw && (await storedRaw(to, raw, size.cells)),
  });
}

async function storedRaw(
  to: Target,
  raw: NonNullable<H5adContent['raw']>,
  cells: number,
): Promise<StoredNode> {
  const size = { cells, genes: raw.var.rowCount };
  return {
    kind: 'group',
    attributes: { 'encoding-type': 'raw', 'encoding-version': '0.1.0' },
    members: new Map<string, StoredNode>([
      ['var', storedTable(to, 'raw/var', raw.var)],
      ['varm', dictNode([])],
      ['X', await storedMatrix(to, 'raw/X', { content: raw.X, size })],
    ]),
  };
}

type Members = readonly (readonly [string, StoredNode])[];

async function storedProteins(to: Target, content: H5adContent): Promise<{ obsm: Members; uns: Members }> {
  const { obs, proteins } = content;
  if (proteins === undefined) return { obsm: [], uns: [] };
  const { scale, names, values } = proteins;
  const uns: Members = [
    [proteinUnsKeys.names, stringNode(names)],
    ...(scale === undefined ? [] : [[proteinUnsKeys.unit, stringNode<never>([proteinUnit(scale)])] as const]),
  ];
  if ('format' in values) {
    const size = { cells: obs.rowCount, genes: names.length };
    const matrix = await storedMatrix(to, proteinsPath, { content: values, size });
    return { obsm: [[proteinFrame.key, matrix]], uns };
  }
  const columns: (readonly [string, StoredNode])[] = [];
  for await (const column of values) {
    to.options.signal?.throwIfAborted();
    const name = names[columns.length]!;
    columns.push([name, storedColumn(to, `${proteinsPath}/${name}`, column)]);
  }
  const cells = stored(to, proteinsPath, arrayNode('string', [obs.rowCount], obs.index));
  return { obsm: [[proteinFrame.key, frameNode(proteinFrame.indexName, cells, columns)]], uns };
}

interface Matrix {
  content: MatrixContent;
  size: { cells: number; genes: number };
}

/** Stores a matrix block by block. Throws H5adWriteFailed if the blocks do not add up to the size. */
async function storedMatrix(to: Target, part: string, matrix: Matrix): Promise<StoredNode> {
  const { content, size } = matrix;
  if (content.format !== 'dense') return storedSparse(to, part, content, size);
  const { gzip, refuseRoundedCounts, signal, onProgress } = to.options;
  const { cells: rows, genes: width } = size;
  const writer = new ArrayWriter(to.file, part, {
    type: content.dtype,
    rows,
    width,
    gzip,
    refuseRoundedCounts,
  });
  let done = 0;
  for await (const block of content.blocks as AsyncIterable<DenseBlock>) {
    signal?.throwIfAborted();
    writer.append(block.values);
    done += block.values.length;
    onProgress?.({ part, done });
  }
  return { ...writer.close(), attributes: arrayEncoding };
}

async function storedSparse(
  to: Target,
  part: string,
  { format, dtype, blocks, valueCount: rows }: MatrixContent & { format: 'csr' | 'csc' },
  { cells, genes }: Matrix['size'],
): Promise<StoredNode> {
  const { gzip, refuseRoundedCounts, signal, onProgress } = to.options;
  const majors = format === 'csr' ? cells : genes;
  const data = new ArrayWriter(to.file, `${part}/data`, { type: dtype, rows, gzip, refuseRoundedCounts });
  const indices = new ArrayWriter(to.file, `${part}/indices`, { type: 'int32', rows, gzip });
  const indptr = new Float64Array(majors + 1);
  let major = 0;
  let entries = 0;
  for await (const block of blocks as AsyncIterable<SparseBlock>) {
    signal?.throwIfAborted();
    const count = block.indptr.length - 1;
    const blockEntries = block.indptr[count] ?? 0;
    if (major + count > majors) throw to.file.failure(part, `it has ${majors} rows and more came`);
    if (block.indices.length !== blockEntries || block.values.length !== blockEntries)
      throw to.file.failure(part, 'indptr, indices and values of a block disagree');
    for (let i = 1; i <= count; i++) indptr[major + i] = entries + block.indptr[i]!;
    data.append(block.values);
    indices.append(block.indices);
    major += count;
    entries += blockEntries;
    onProgress?.({ part, done: entries });
  }
  if (major !== majors) throw to.file.failure(part, `it has ${majors} rows and ${major} came`);
  const pointers = new ArrayWriter(to.file, `${part}/indptr`, {
    type: entries > maxInt32 ? 'int64' : 'int32',
    rows: majors + 1,
    gzip,
  });
  pointers.append(indptr);
  return sparseNode(format, [cells, genes], {
    indptr: pointers.close(),
    indices: indices.close(),
    data: data.close(),
  });
}

function storedTable(to: Target, part: string, table: Table): StoredNode {
  const { rowCount, indexName, index, columns } = table;
  const wrong = mismatchedColumns(table);
  if (wrong.length > 0)
    throw to.file.failure(part, `it has ${rowCount} rows, but not in the columns ${wrong.join(', ')}`);
  if (index.offsets.length - 1 !== rowCount)
    throw to.file.failure(part, `it has ${rowCount} rows and ${index.offsets.length - 1} names`);
  return frameNode(
    indexName,
    stored(to, `${part}/${indexName}`, arrayNode('string', [rowCount], index)),
    Array.from(columns, ([name, column]) => [name, storedColumn(to, `${part}/${name}`, column)]),
  );
}

function storedColumn(to: Target, part: string, column: Column): StoredNode {
  const keeps = to.options.booleans === true && column.kind === 'boolean' && column.missing === undefined;
  const plain = keeps ? column : plainColumn(column);
  const node = columnNode<never>(plain, rowsOf(plain), (content) => columnContent(plain, content));
  return stored(to, part, node);
}

function stored({ file, options }: Target, part: string, node: StoredNode): StoredNode {
  return file.stored(part, node, options.gzip);
}

/**
 * The column without a mask and without booleans, as datasets of tables and of R objects have them: booleans are 0 and 1,
 * a number column with missing values is float64 with NaN, and a column of strings, or of integers that float64 cannot
 * hold, is categorical.
 */
function plainColumn(column: Column): Column {
  switch (column.kind) {
    case 'categorical':
      return column.categoryType === 'boolean' ? { ...column, categoryType: 'string' } : column;
    case 'string':
      return column.missing === undefined ? column : categoriesOf(column, column.missing);
    case 'boolean':
      return column.missing === undefined
        ? { kind: 'numeric', dtype: 'uint8', values: column.values }
        : withNaN(column.values, column.missing);
    case 'numeric':
      return column.missing === undefined ? column : withNaN(column.values, column.missing);
    case 'wide-integer':
      return column.missing === undefined ? column : integerCategories(column, column.missing);
  }
}

function withNaN(values: NumericArray, missing: Uint8Array): Column {
  const out = Float64Array.from(values);
  for (let i = 0; i < out.length; i++) if (missing[i] === 1) out[i] = Number.NaN;
  return { kind: 'numeric', dtype: 'float64', values: out };
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
