import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { countSlice } from './count-slice.ts';
import type { MatrixReader } from './matrix-reader.ts';
import { RowSlice } from './row-slice.ts';
import { SliceSorter } from './slice-sorter.ts';
import { cutRows } from './transpose-plan.ts';
import { emptyStatistics, type ValueStatistics } from './value-statistics.ts';

/** Rows [firstCell, endCell) of a cell-major matrix. All arrays lie in memory that threads share. */
export interface RowPart {
  readonly firstCell: number;
  readonly endCell: number;
  /** Positions of all rows in the file. */
  readonly positions: Float64Array;
  /** Sum of each cell; filled by counting, used to normalise. */
  readonly totals: Float64Array;
}

/** Counts the values other than zero of each gene in a part of the rows. */
export interface CountTask extends RowPart {
  readonly kind: 'count';
  /** geneCount, filled. */
  readonly counts: Uint32Array;
}

export interface CountedRows {
  readonly statistics: ValueStatistics;
  /** Whether genes strictly rise in every row, so that none has a gene twice. */
  readonly rising: boolean;
}

/** Puts the entries of the genes [firstGene, endGene) of a part of the rows to their places. */
export interface ScatterTask extends RowPart {
  readonly kind: 'scatter';
  readonly firstGene: number;
  readonly endGene: number;
  /** Place of the first entry of each gene (of all) in this part. */
  readonly starts: Uint32Array;
  readonly normalise: boolean;
  readonly cells: Int32Array;
  /** float32 values as integers of the same bits. */
  readonly valueBits: Int32Array;
}

/** Work of one thread that reads a cell-major matrix again for each block of genes. */
export class GenePasses {
  readonly #reader: MatrixReader;
  readonly #layout: MatrixLayout;
  readonly #slice: RowSlice;
  readonly #next: Uint32Array;
  #sorter: SliceSorter | undefined;

  constructor(reader: MatrixReader, layout: MatrixLayout, sliceEntries: number) {
    this.#reader = reader;
    this.#layout = layout;
    this.#slice = new RowSlice(sliceEntries);
    this.#next = new Uint32Array(layout.geneCount);
  }

  /** Throws EntryOutOfRange with the position in the file. */
  count({ firstCell, endCell, positions, totals, counts }: CountTask): CountedRows {
    const found = this.#next.fill(0);
    const statistics = emptyStatistics();
    let rising = true;
    for (const slice of this.#slices(firstCell, endCell, positions))
      rising = countSlice(slice, totals, found, statistics) && rising;
    for (const count of found) statistics.entries += count;
    counts.set(found);
    return { statistics, rising };
  }

  /** Genes must rise in every row. */
  scatter(task: ScatterTask): void {
    const { firstCell, endCell, positions, starts } = task;
    const next = this.#next;
    next.set(starts);
    this.#sorter ??= new SliceSorter(this.#slice.indices.length, this.#layout.geneCount);
    for (const slice of this.#slices(firstCell, endCell, positions)) this.#sorter.sort(slice, task, next);
  }

  /** Reads whole rows, as many at once as the buffers take. */
  *#slices(firstCell: number, endCell: number, positions: Float64Array): Generator<RowSlice> {
    const slice = this.#slice;
    const { indices, values } = slice;
    const cuts = cutRows(positions.subarray(firstCell, endCell + 1), indices.length, endCell);
    for (let i = 0; i + 1 < cuts.length; i++) {
      const first = firstCell + cuts[i]!;
      const end = firstCell + cuts[i + 1]!;
      slice.turnTo(first, end, positions);
      this.#reader.entries(positions[first]!, positions[end]!, indices, values);
      yield slice;
    }
  }
}
