import type { MatrixWriter } from '@cellfolio/store';
import type { GeneMajorMatrix, WriteOptions } from '../transpose/gene-major-matrix.ts';
import type { ValueStatistics } from '../transpose/value-statistics.ts';

type Values = Parameters<MatrixWriter['write']>[1];

/** A matrix without the cells that were taken away, and with the others moved up. */
export class KeptCellsMatrix implements GeneMajorMatrix {
  readonly statistics: ValueStatistics;
  readonly indptr: Float64Array;
  readonly #matrix: GeneMajorMatrix;
  /** New position of each cell of the file; -1 for those that went. */
  readonly #places: Int32Array;

  private constructor(matrix: GeneMajorMatrix, places: Int32Array, indptr: Float64Array) {
    this.#matrix = matrix;
    this.#places = places;
    this.indptr = indptr;
    this.statistics = { ...matrix.statistics, entries: indptr[indptr.length - 1]! };
  }

  /** Goes over all entries once, since those of each gene must be counted before the first is written. */
  static async of(
    matrix: GeneMajorMatrix,
    { cellCount, keptCells }: { cellCount: number; keptCells: Int32Array },
    signal: AbortSignal | undefined,
  ): Promise<KeptCellsMatrix> {
    const places = new Int32Array(cellCount).fill(-1);
    keptCells.forEach((cell, place) => (places[cell] = place));
    const { indptr } = matrix;
    const kept = new Float64Array(indptr.length);
    let gene = 0;
    let at = 0;
    const counter: MatrixWriter = {
      async write(cells) {
        for (let i = 0; i < cells.length; i++, at++) {
          while (at >= indptr[gene + 1]!) gene++;
          if (places[cells[i]!]! >= 0) kept[gene + 1]!++;
        }
      },
      close: () => Promise.resolve(),
    };
    await matrix.write('counts', counter, { whole: false, signal });
    for (let g = 0; g + 1 < kept.length; g++) kept[g + 1]! += kept[g]!;
    return new KeptCellsMatrix(matrix, places, kept);
  }

  get wide(): boolean {
    return this.#matrix.wide;
  }

  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const places = this.#places;
    let done = 0;
    const filter: MatrixWriter = {
      async write(cells, entries) {
        const keptCells = new Int32Array(cells.length);
        const keptEntries: Values = entries.slice();
        let to = 0;
        for (let i = 0; i < cells.length; i++) {
          const place = places[cells[i]!]!;
          if (place < 0) continue;
          keptCells[to] = place;
          keptEntries[to++] = entries[i]!;
        }
        done += to;
        if (to > 0) await writer.write(keptCells.subarray(0, to), keptEntries.subarray(0, to));
      },
      close: () => writer.close(),
    };
    const { onWritten } = options;
    return this.#matrix.write(values, filter, {
      ...options,
      ...(onWritten && { onWritten: () => onWritten(done) }),
    });
  }

  close(): Promise<void> {
    return this.#matrix.close();
  }
}
