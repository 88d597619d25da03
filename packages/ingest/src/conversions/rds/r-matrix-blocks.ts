import type { FloatType } from '../../write-h5ad/write-h5ad.ts';
import type { DenseBlock, MatrixContent, SparseBlock } from '../../write-h5ad/h5ad-content.ts';
import type { ProteinsOfR } from './proteins-of-r.ts';
import type { JoinedRMatrix, Refuse, RMatrix, SparseRMatrix } from './r-matrix.ts';
import { doubles } from './r-table.ts';

/** Maximum values per block of the matrix, unless a single cell has more. */
const blockValues = 4_194_304;

function cellsAtOnce(geneCount: number): number {
  return Math.max(1, Math.floor(blockValues / Math.max(1, geneCount)));
}

export function valuesIn(matrix: RMatrix): number {
  if (matrix.form === 'joined') return matrix.layers.reduce((sum, layer) => sum + layer.matrix.x.length, 0);
  return matrix.form === 'sparse' ? matrix.x.length : matrix.values.length;
}

export function matrixContent(matrix: RMatrix, dtype: FloatType, refuse: Refuse): MatrixContent {
  if (matrix.form === 'dense') return { format: 'dense', dtype, blocks: denseBlocks(matrix) };
  const blocks = sparseBlocks(matrix, 'counts', refuse);
  return { format: 'csr', dtype, valueCount: valuesIn(matrix), blocks };
}

/** A column of R's matrix is a cell. */
async function* denseBlocks({
  values,
  geneCount,
  cellCount,
}: RMatrix & { form: 'dense' }): AsyncGenerator<DenseBlock> {
  const step = cellsAtOnce(geneCount);
  for (let cell = 0; cell < cellCount; cell += step) {
    const count = Math.min(step, cellCount - cell);
    yield { values: await doubles(values, cell * geneCount, count * geneCount) };
  }
}

interface Columns {
  /** End of a block of columns from `from` on, which has at least one. */
  endOfBlock(from: number, maxEntries: number): number;
  read(from: number, to: number): Promise<SparseBlock>;
}

/** Throws the refusal of an inconsistent matrix, naming the part of the object. */
async function columnsOf(matrix: RMatrix, part: string, refuse: Refuse): Promise<Columns> {
  switch (matrix.form) {
    case 'dense':
      return new DenseColumns(matrix);
    case 'sparse':
      return SparseColumns.open(matrix, part, refuse);
    case 'joined': {
      const layers = [];
      for (const layer of matrix.layers) layers.push(await SparseColumns.open(layer.matrix, part, refuse));
      return new JoinedColumns(matrix, layers);
    }
  }
}

async function* sparseBlocks(matrix: RMatrix, part: string, refuse: Refuse): AsyncGenerator<SparseBlock> {
  const columns = await columnsOf(matrix, part, refuse);
  for (let from = 0; from < matrix.cellCount;) {
    const to = columns.endOfBlock(from, matrix.cellCount);
    yield await columns.read(from, to);
    from = to;
  }
}

export function proteinContent(proteins: ProteinsOfR, dtype: FloatType, refuse: Refuse): MatrixContent {
  return { format: 'csr', dtype, blocks: proteinBlocks(proteins, refuse) };
}

/** In cell order; cells without proteins have missing values. */
async function* proteinBlocks(
  { matrix, columnOf, part }: ProteinsOfR,
  refuse: Refuse,
): AsyncGenerator<SparseBlock> {
  const columns = await columnsOf(matrix, part, refuse);
  for (let cell = 0; cell < columnOf.length;) {
    const first = columnOf[cell]!;
    const step = first < 0 ? 0 : 1;
    let next = cell + 1;
    while (next < columnOf.length && columnOf[next] === first + step * (next - cell)) next++;
    if (first < 0) {
      const count = Math.min(next - cell, cellsAtOnce(matrix.geneCount));
      yield missingBlock(count, matrix.geneCount);
      cell += count;
    } else {
      const to = columns.endOfBlock(first, first + next - cell);
      yield await columns.read(first, to);
      cell += to - first;
    }
  }
}

function missingBlock(cells: number, proteins: number): SparseBlock {
  return {
    indptr: Float64Array.from({ length: cells + 1 }, (_, cell) => cell * proteins),
    indices: Int32Array.from({ length: cells * proteins }, (_, at) => at % proteins),
    values: new Float32Array(cells * proteins).fill(NaN),
  };
}

class DenseColumns implements Columns {
  readonly #matrix: RMatrix & { form: 'dense' };

  constructor(matrix: RMatrix & { form: 'dense' }) {
    this.#matrix = matrix;
  }

  endOfBlock(from: number, maxEnd: number): number {
    return Math.min(maxEnd, from + cellsAtOnce(this.#matrix.geneCount));
  }

  async read(from: number, to: number): Promise<SparseBlock> {
    const { values, geneCount } = this.#matrix;
    const count = (to - from) * geneCount;
    return {
      indptr: Float64Array.from({ length: to - from + 1 }, (_, cell) => cell * geneCount),
      indices: Int32Array.from({ length: count }, (_, at) => at % geneCount),
      values: await doubles(values, from * geneCount, count),
    };
  }
}

/** Joined layers: a block contains cells that are adjacent in one layer, as they mostly are. */
class JoinedColumns implements Columns {
  readonly #matrix: JoinedRMatrix;
  readonly #layers: readonly Columns[];

  constructor(matrix: JoinedRMatrix, layers: readonly Columns[]) {
    this.#matrix = matrix;
    this.#layers = layers;
  }

  endOfBlock(from: number, maxEnd: number): number {
    const { layerOf, columnOf } = this.#matrix;
    const layer = layerOf[from]!;
    const first = columnOf[from]!;
    let next = from + 1;
    while (next < maxEnd && layerOf[next] === layer && columnOf[next] === first + next - from) next++;
    return from + this.#layers[layer]!.endOfBlock(first, first + next - from) - first;
  }

  async read(from: number, to: number): Promise<SparseBlock> {
    const layer = this.#matrix.layerOf[from]!;
    const first = this.#matrix.columnOf[from]!;
    const { indices, ...block } = await this.#layers[layer]!.read(first, first + to - from);
    const { genes } = this.#matrix.layers[layer]!;
    return { ...block, indices: indices.map((gene) => genes[gene]!) };
  }
}

class SparseColumns implements Columns {
  readonly #matrix: SparseRMatrix;
  readonly #ends: ArrayLike<number>;
  readonly #broken: (cell: number) => Error;

  private constructor(matrix: SparseRMatrix, ends: ArrayLike<number>, broken: (cell: number) => Error) {
    this.#matrix = matrix;
    this.#ends = ends;
    this.#broken = broken;
  }

  static async open(matrix: SparseRMatrix, part: string, refuse: Refuse): Promise<SparseColumns> {
    const { p, x, geneCount, cellCount } = matrix;
    const broken = (cell: number) =>
      refuse(part, `is damaged at cell ${cell + 1}.`, 'Save the object again in R with saveRDS().');
    const ends = await p.read(0, cellCount + 1);
    for (let cell = 0; cell < cellCount; cell++) {
      const length = ends[cell + 1]! - ends[cell]!;
      if (ends[0] !== 0 || !(length >= 0 && length <= geneCount)) throw broken(cell);
    }
    if (ends[cellCount] !== x.length) throw broken(cellCount - 1);
    return new SparseColumns(matrix, ends, broken);
  }

  endOfBlock(from: number, maxEnd: number): number {
    let to = from + 1;
    while (to < maxEnd && this.#ends[to + 1]! - this.#ends[from]! <= blockValues) to++;
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
    return { indptr, indices, values: await doubles(x, start, count) };
  }
}
