import { countText } from '@cellfolio/model';
import { fileHead, isRWorkspace, rWorkspace } from '../../foreign-content.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { readChunks } from '../../matrix-market/read-text.ts';
import type { DenseBlock, MatrixContent, SparseBlock } from '../../write-h5ad/h5ad-content.ts';
import { H5adWriteFailed } from '../../write-h5ad/h5ad-content.ts';
import { writeH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import { type CellsOfR, cellsOfRObject, passedOver } from './cells-of-r-object.ts';
import { NumberSpill } from './number-spill.ts';
import { RBytes } from './r-bytes.ts';
import type { JoinedRMatrix, Refuse, RMatrix, SparseRMatrix } from './r-matrix.ts';
import { doubles, embeddingOfR, tableOfR } from './r-table.ts';
import { readRObject } from './read-r-object.ts';

/** Files of saveRDS() in R, packed by gzip or not. */
export const rds: Conversion = {
  title: 'an R object (.rds)',
  recognises: ({ file, head }) =>
    head.toString('latin1', 0, 4) === 'X\n\0\0' || /\.(?:rds|rdata)(?:\.gz)?$/i.test(file.name),
  convert: convertRds,
};

/** Values that one block of the matrix holds at most, unless a single cell has more. */
const blockValues = 4_194_304;
/** Zeros pack to a thousandth, and objects hold matrices of them. */
const maxRatio = 1000;

/**
 * Writes the counts as X (CSR, or dense), with the columns and coordinates of the cells. The file is read once; names are
 * held, and its larger vectors are on disk beside the output meanwhile, unpacked.
 */
async function convertRds(
  { path }: NamedFile,
  output: string,
  { signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const refuse: Refuse = (part, problem, hint) =>
    new H5adError({ code: 'unreadable', path, part, problem, hint });
  const spill = new NumberSpill(`${output}.vectors`);
  try {
    const onBytes = (read: number, all: number) => onProgress?.((0.5 * read) / all);
    refuseOtherLayouts(path, refuse);
    const root = await readRObject(
      // Archives pack with gzip what R has packed.
      new RBytes(path, readChunks(path, { signal, onBytes, maxRatio, twice: true })),
      spill,
      passedOver,
    );
    const cells = await cellsOfRObject(root, refuse);
    const { content, notes } = await contentOf(cells, refuse);
    const all = valuesIn(cells.matrix);
    await writeH5ad(output, content, {
      ...(signal && { signal }),
      onProgress: ({ done }) => onProgress?.(0.5 + (0.5 * done) / Math.max(1, all)),
    });
    return { notes };
  } catch (error) {
    // What is wrong with the object is not the fault of the writing.
    throw error instanceof H5adWriteFailed && error.cause instanceof H5adError ? error.cause : error;
  } finally {
    await spill.remove();
  }
}

/** What R saves in other ways than saveRDS() does unless it is told. */
function refuseOtherLayouts(path: string, refuse: Refuse): void {
  const head = fileHead(path)?.head;
  const start = head?.toString('latin1', 0, 6) ?? '';
  if (start.startsWith('X\n') || start.startsWith('\u001f\u008b')) return;
  const again = 'Save it again in R: saveRDS(x, "file.rds").';
  if (head && isRWorkspace(head)) throw refuse('', `is ${rWorkspace.what}.`, rWorkspace.hint);
  if (/^[AB]\n/.test(start)) throw refuse('', 'is an R object in a layout that is not read.', again);
  if (/^(?:BZh|\u00fd7zXZ)/.test(start))
    throw refuse(
      '',
      'is packed with bzip2 or xz.',
      'Save it again in R, where gzip is the default: saveRDS(x, "file.rds").',
    );
  throw refuse('', 'is no file of saveRDS().', again);
}

async function contentOf(cells: CellsOfR, refuse: Refuse) {
  const obs = await tableOfR(cells.cells, cells.cellColumns);
  const genes = await tableOfR(cells.genes, cells.geneColumns);
  const notes = [
    `${countText(cells.cells.length)} cells and ${countText(cells.genes.length)} genes of ${cells.title}.`,
    ...cells.notes,
  ];
  const obsm = [];
  const left = [...obs.left, ...genes.left];
  for (const [name, value] of cells.embeddings) {
    const embedding = await embeddingOfR(name.replaceAll('/', '_'), value, cells.cells.length);
    if (embedding === undefined) left.push(name);
    else obsm.push(embedding);
  }
  if (left.length > 0) notes.push(`Left, as they are not one value for each: ${left.join(', ')}.`);
  const X = matrixContent(cells.matrix, refuse);
  return { content: { obs: obs.table, var: genes.table, X, obsm }, notes };
}

/** Values that are stored. */
function valuesIn(matrix: RMatrix): number {
  if (matrix.form === 'joined') return matrix.layers.reduce((sum, layer) => sum + layer.matrix.x.length, 0);
  return matrix.form === 'sparse' ? matrix.x.length : matrix.values.length;
}

function matrixContent(matrix: RMatrix, refuse: Refuse): MatrixContent {
  if (matrix.form === 'dense') return { format: 'dense', dtype: 'float32', blocks: denseBlocks(matrix) };
  const blocks = matrix.form === 'sparse' ? sparseBlocks(matrix, refuse) : joinedBlocks(matrix, refuse);
  return { format: 'csr', dtype: 'float32', valueCount: valuesIn(matrix), blocks };
}

/** A column of R's matrix is a cell. */
async function* denseBlocks({
  values,
  geneCount,
  cellCount,
}: RMatrix & { form: 'dense' }): AsyncGenerator<DenseBlock> {
  const step = Math.max(1, Math.floor(blockValues / Math.max(1, geneCount)));
  for (let cell = 0; cell < cellCount; cell += step) {
    const count = Math.min(step, cellCount - cell);
    yield { values: Float32Array.from(await doubles(values, cell * geneCount, count * geneCount)) };
  }
}

async function* sparseBlocks(matrix: SparseRMatrix, refuse: Refuse): AsyncGenerator<SparseBlock> {
  const columns = await SparseColumns.open(matrix, refuse);
  for (let from = 0; from < matrix.cellCount;) {
    const to = columns.endOfBlock(from, matrix.cellCount);
    yield await columns.read(from, to);
    from = to;
  }
}

/** Blocks of cells that lie one behind the other in a layer: split by samples, as they mostly are, those are long. */
async function* joinedBlocks(
  { layers, layerOf, columnOf, cellCount }: JoinedRMatrix,
  refuse: Refuse,
): AsyncGenerator<SparseBlock> {
  const columns = [];
  for (const { matrix } of layers) columns.push(await SparseColumns.open(matrix, refuse));
  for (let cell = 0; cell < cellCount;) {
    const layer = layerOf[cell]!;
    const first = columnOf[cell]!;
    let next = cell + 1;
    while (next < cellCount && layerOf[next] === layer && columnOf[next] === first + next - cell) next++;
    const to = columns[layer]!.endOfBlock(first, first + next - cell);
    const { indices, ...block } = await columns[layer]!.read(first, to);
    const { genes } = layers[layer]!;
    yield { ...block, indices: indices.map((gene) => genes[gene]!) };
    cell += to - first;
  }
}

/** Columns of a sparse matrix of R, each a cell, which are checked as they are read. */
class SparseColumns {
  readonly #matrix: SparseRMatrix;
  readonly #ends: ArrayLike<number>;
  readonly #broken: (cell: number) => Error;

  private constructor(matrix: SparseRMatrix, ends: ArrayLike<number>, broken: (cell: number) => Error) {
    this.#matrix = matrix;
    this.#ends = ends;
    this.#broken = broken;
  }

  static async open(matrix: SparseRMatrix, refuse: Refuse): Promise<SparseColumns> {
    const { p, x, geneCount, cellCount } = matrix;
    const broken = (cell: number) =>
      refuse('counts', `is damaged at cell ${cell + 1}.`, 'Save the object again in R with saveRDS().');
    const ends = await p.read(0, cellCount + 1);
    for (let cell = 0; cell < cellCount; cell++) {
      const length = ends[cell + 1]! - ends[cell]!;
      if (ends[0] !== 0 || !(length >= 0 && length <= geneCount)) throw broken(cell);
    }
    if (ends[cellCount] !== x.length) throw broken(cellCount - 1);
    return new SparseColumns(matrix, ends, broken);
  }

  /** The end of a block of columns that begins at `from`; one at least is in it. */
  endOfBlock(from: number, most: number): number {
    let to = from + 1;
    while (to < most && this.#ends[to + 1]! - this.#ends[from]! <= blockValues) to++;
    return to;
  }

  async read(from: number, to: number): Promise<SparseBlock> {
    const { i, x, geneCount } = this.#matrix;
    const start = this.#ends[from]!;
    const count = this.#ends[to]! - start;
    const indices = Int32Array.from(await i.read(start, count));
    const indptr = Float64Array.from({ length: to - from + 1 }, (_, at) => this.#ends[from + at]! - start);
    for (let cell = from; cell < to; cell++) {
      for (let at = indptr[cell - from]!, last = -1; at < indptr[cell - from + 1]!; at++) {
        if (indices[at]! <= last || indices[at]! >= geneCount) throw this.#broken(cell);
        last = indices[at]!;
      }
    }
    return { indptr, indices, values: Float32Array.from(await doubles(x, start, count)) };
  }
}
