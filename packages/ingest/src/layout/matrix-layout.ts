import { H5adError } from '../h5ad-error.ts';
import { type DatasetInfo, typeName } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';

interface MatrixBase {
  path: string;
  cellCount: number;
  geneCount: number;
  /** The values: one-dimensional for sparse matrices, two-dimensional for dense ones. */
  data: DatasetInfo;
  /** 1 for each column that is not a gene: its values are read as zeros. Absent if all are genes. */
  dropped?: Uint8Array;
  /**
   * Gene of each column of the file, if several are summed to one gene; values of a column with -1 are read as zeros.
   * `geneCount` and `dropped` refer to these genes. Absent if each column is a gene, and for CSC matrices.
   */
  geneOf?: Int32Array;
}

/** Location and format of a cells x genes matrix in the file. Plain data, which can be sent to a worker thread. */
export type MatrixLayout =
  | (MatrixBase & {
      format: 'csr' | 'csc';
      indices: DatasetInfo;
      indptr: DatasetInfo;
      /** Stored entries, including explicit zeros. */
      entryCount: number;
    })
  | (MatrixBase & {
      format: 'dense';
      /** The file stores genes x cells, like Loom. */
      transposed?: boolean;
    });

/** Maximum sizes, beyond any in the field; arrays of this size are held in memory. */
const maxCells = 100_000_000;
const maxGenes = 10_000_000;

/**
 * Describes the matrix at a path; undefined for a missing matrix or a mere placeholder. Reads no values. `transposed`:
 * genes x cells, dense as in Loom or compressed by cell as in 10x Genomics and R.
 */
export function matrixLayout(file: Hdf5File, path: string, transposed = false): MatrixLayout | undefined {
  const kind = file.kind(path);
  if (kind === undefined || isEmpty(file, path, kind)) return undefined;
  const layout =
    kind === 'dataset' ? denseLayout(file, path, transposed) : sparseLayout(file, path, transposed);
  for (const [count, limit, what] of [
    [layout.cellCount, maxCells, 'cells'],
    [layout.geneCount, maxGenes, 'genes'],
  ] as const) {
    if (count >= 0 && count <= limit) continue;
    throw new H5adError({
      code: count > limit ? 'too-large' : 'shape-mismatch',
      path: file.path,
      part: path,
      problem: `the matrix declares ${count} ${what}.`,
      hint: `Up to ${limit} can be handled; check how the file was made.`,
    });
  }
  return layout;
}

/** Whether None was written in place of a matrix: encoded as `null`, or as an empty dataset or group. */
function isEmpty(file: Hdf5File, path: string, kind: 'dataset' | 'group'): boolean {
  const encoding = file.text(path, 'encoding-type');
  if (encoding === 'null') return true;
  if (kind === 'group') return encoding === undefined && file.children(path).length === 0;
  const { shape } = file.dataset(path);
  return shape.length === 1 && shape[0] === 0;
}

function denseLayout(file: Hdf5File, path: string, transposed: boolean): MatrixLayout {
  const data = file.dataset(path);
  assertNumbers(file, data);
  const [rows, columns, ...more] = data.shape;
  if (transposed && rows !== undefined && columns !== undefined && more.length === 0)
    return { path, format: 'dense', cellCount: columns, geneCount: rows, data, transposed };
  // AnnData before 0.7 stored a matrix of one gene as a vector.
  if (!transposed && rows !== undefined && more.length === 0) {
    return { path, format: 'dense', cellCount: rows, geneCount: columns ?? 1, data };
  }
  throw new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part: path,
    problem: `the matrix has ${data.shape.length} dimensions instead of two.`,
    hint: `${transposed ? 'Genes x cells' : 'Cells x genes'} is expected.`,
  });
}

/** Maximum values read at once so that no chunk is decoded twice: 64 MiB of float64. */
const maxValuesAtOnce = 8_388_608;

/** Number of cells of a dense matrix to read together: those of one chunk, up to a limit. */
export function denseCellsAtOnce(layout: MatrixLayout & { format: 'dense' }): number {
  const { data, cellCount, geneCount, transposed } = layout;
  const bearable = Math.max(1, Math.floor(maxValuesAtOnce / Math.max(1, geneCount)));
  // Each cell of a transposed matrix is spread over all of it: the more are read together, the less often.
  if (transposed === true) return Math.min(data.chunks?.[1] ?? bearable, bearable, Math.max(1, cellCount));
  const chunkCells = Math.min(data.chunks?.[0] ?? 1, cellCount);
  return chunkCells <= bearable ? chunkCells : 1;
}

function sparseLayout(file: Hdf5File, path: string, transposed: boolean): MatrixLayout {
  for (const member of ['data', 'indices', 'indptr']) {
    if (file.kind(`${path}/${member}`) !== 'dataset') {
      throw new H5adError({
        code: 'unreadable',
        path: file.path,
        part: path,
        problem: `the sparse matrix has no ${member}.`,
        hint: 'Write the file again with the program that made it.',
      });
    }
  }
  const data = file.located(file.dataset(`${path}/data`));
  const indices = file.located(file.dataset(`${path}/indices`));
  const indptr = file.dataset(`${path}/indptr`);
  for (const info of [data, indices, indptr]) assertNumbers(file, info);
  const format = transposed ? 'csr' : sparseFormat(file, path);
  const [cellCount, geneCount] = transposed ? shapeByCell(file, path) : sparseShape(file, path);
  const entryCount = data.shape[0] ?? 0;
  const rows = format === 'csr' ? cellCount : geneCount;
  if (indices.shape[0] !== entryCount) {
    throw mismatch(file, path, `data has ${entryCount} entries but indices ${indices.shape[0]}.`);
  }
  if (indptr.shape[0] !== rows + 1) {
    throw mismatch(file, path, `indptr has ${indptr.shape[0]} entries instead of ${rows + 1}.`);
  }
  return { path, format, cellCount, geneCount, data, indices, indptr, entryCount };
}

function sparseFormat(file: Hdf5File, path: string): 'csr' | 'csc' {
  const encoding = file.text(path, 'encoding-type') ?? file.text(path, 'h5sparse_format') ?? '';
  if (encoding.startsWith('csr')) return 'csr';
  if (encoding.startsWith('csc')) return 'csc';
  throw new H5adError({
    code: 'unreadable',
    path: file.path,
    part: path,
    problem:
      encoding === ''
        ? 'the group does not say how its matrix is encoded.'
        : `encoding '${encoding}' is not known.`,
    hint: 'A CSR, CSC or dense matrix written by anndata is expected.',
  });
}

function sparseShape(file: Hdf5File, path: string): [number, number] {
  const shape = file.attribute(path, 'shape') ?? file.attribute(path, 'h5sparse_shape');
  if (shape !== undefined && typeof shape === 'object' && shape.length === 2) {
    return [Number(shape[0]), Number(shape[1])];
  }
  throw new H5adError({
    code: 'unreadable',
    path: file.path,
    part: path,
    problem: 'the sparse matrix does not say its shape.',
    hint: 'Write the file again with anndata.',
  });
}

/** Numbers of features and of cells: an array in 10x Genomics files, an attribute in R's. */
function shapeByCell(file: Hdf5File, path: string): [number, number] {
  const dims = file.attribute(path, 'dims');
  if (typeof dims === 'object' && dims.length === 2) return [Number(dims[1]), Number(dims[0])];
  const part = `${path}/shape`;
  const info = file.kind(part) === 'dataset' ? file.dataset(part) : undefined;
  if (info?.type.kind === 'number' && info.shape.length === 1 && info.shape[0] === 2) {
    const [features, cells] = file.numbers(info);
    return [cells!, features!];
  }
  throw new H5adError({
    code: 'unreadable',
    path: file.path,
    part,
    problem: 'the matrix does not say its shape: two numbers, of features and of barcodes.',
    hint: 'Write the file again with the program that made it.',
  });
}

function assertNumbers(file: Hdf5File, info: DatasetInfo): void {
  if (info.type.kind !== 'number' && info.type.kind !== 'boolean')
    throw file.unsupported(info.path, info.type);
}

/** Throws `shape-mismatch` if a table's row count differs from its matrix's cells, or genes. */
export function assertRows(
  file: Hdf5File,
  { cellCount, geneCount }: MatrixLayout,
  what: 'obs' | 'var',
  { part, rows }: { part: string; rows: number },
): void {
  if (rows === (what === 'obs' ? cellCount : geneCount)) return;
  throw new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part,
    problem: `the matrix is ${cellCount} x ${geneCount}, but ${part} has ${rows} rows.`,
    hint: 'The file is damaged or was assembled by hand; write it again with anndata.',
  });
}

function mismatch(file: Hdf5File, part: string, problem: string): H5adError {
  return new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part,
    problem,
    hint: 'The file is damaged or was assembled by hand; write it again with anndata.',
  });
}

export function compressionName(info: DatasetInfo): string {
  const names = info.filters
    .filter(({ id }) => id !== 2 && id !== 3)
    .map(({ id, name }) => (id === 1 ? 'gzip' : name));
  return names.length === 0 ? 'none' : names.join('+');
}

export function valueTypeName(layout: MatrixLayout): string {
  return typeName(layout.data.type);
}

const logLayers = /^(log1?p|log_?norm|lognorm|log_?counts|logcounts|normalized|normalised|norm|data|log)/i;
const countLayers = /^(raw_?counts?|counts?|umi|umis|raw|spliced_?unspliced)$/i;

/** Layers that may hold expression, by name: logarithms first, then counts. */
export function expressionLayers(names: readonly string[]): string[] {
  return [logLayers, countLayers].flatMap((pattern) => names.filter((name) => pattern.test(name)));
}
