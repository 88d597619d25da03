import { type EntrySums, type MatrixWriter, WrittenOtherwise } from '@cellfolio/store';
import { addGeneSums, otherGene } from '@cellfolio/store/worker';
import type { GeneMajorMatrix, WriteOptions } from './gene-major-matrix.ts';
import type { ValueStatistics } from './value-statistics.ts';
import type { ValueScale } from '@cellfolio/model';

type Values = Parameters<MatrixWriter['write']>[1];

class PassingSums {
  readonly #indptr: Float64Array;
  readonly #sums: Int32Array;
  #gene = 0;
  #at = 0;
  #wide = false;

  constructor({ indptr }: Pick<GeneMajorMatrix, 'indptr'>) {
    this.#indptr = indptr;
    this.#sums = new Int32Array(indptr.length - 1);
  }

  get sums(): EntrySums {
    return { sums: this.#sums, wide: this.#wide };
  }

  add(cells: Int32Array, entries: Values): void {
    const values = entries instanceof Int32Array ? Float64Array.from(entries) : entries;
    this.#wide = values instanceof Float64Array;
    const [start, end] = [this.#at, this.#at + cells.length];
    while (this.#at < end) {
      while (this.#indptr[this.#gene + 1]! <= this.#at) this.#gene++;
      const until = Math.min(end, this.#indptr[this.#gene + 1]!);
      addGeneSums(this.#sums, {
        firstGene: this.#gene,
        starts: [this.#at, until],
        base: start,
        cells,
        values,
      });
      this.#at = until;
    }
  }

  /** Throws WrittenOtherwise if the sums differ from the expected ones. */
  assertSame(expected: EntrySums | undefined): void {
    if (expected === undefined || this.#at === 0) return;
    const gene = otherGene(this.#sums, expected.sums);
    if (gene !== undefined) throw new WrittenOtherwise('the matrix', `the values of gene ${gene + 1}`);
  }
}

export class KeptCellsMatrix implements GeneMajorMatrix {
  readonly statistics: ValueStatistics;
  readonly indptr: Float64Array;
  readonly #matrix: GeneMajorMatrix;
  /** New position of each cell of the file; -1 for removed cells. */
  readonly #places: Int32Array;

  private constructor(matrix: GeneMajorMatrix, places: Int32Array, indptr: Float64Array) {
    this.#matrix = matrix;
    this.#places = places;
    this.indptr = indptr;
    this.statistics = { ...matrix.statistics, entries: indptr[indptr.length - 1]! };
  }

  /** Reads all entries once, since each gene's entries must be counted before the first is written. */
  static async of(
    matrix: GeneMajorMatrix,
    { cellCount, keptCells }: { cellCount: number; keptCells: Int32Array },
    signal: AbortSignal | undefined,
  ): Promise<KeptCellsMatrix> {
    const places = new Int32Array(cellCount).fill(-1);
    keptCells.forEach((cell, place) => (places[cell] = place));
    const { indptr } = matrix;
    const keptIndptr = new Float64Array(indptr.length);
    let gene = 0;
    let at = 0;
    const counter: MatrixWriter = {
      async write(cells) {
        for (let i = 0; i < cells.length; i++, at++) {
          while (at >= indptr[gene + 1]!) gene++;
          if (places[cells[i]!]! >= 0) keptIndptr[gene + 1]!++;
        }
      },
      close: () => Promise.resolve(),
    };
    await matrix.write('counts', counter, { signal });
    for (let g = 0; g + 1 < keptIndptr.length; g++) keptIndptr[g + 1]! += keptIndptr[g]!;
    return new KeptCellsMatrix(matrix, places, keptIndptr);
  }

  get wide(): boolean {
    return this.#matrix.wide;
  }

  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const places = this.#places;
    const came = new PassingSums(this.#matrix);
    const went = new PassingSums(this);
    let done = 0;
    const filter: MatrixWriter = {
      async write(cells, entries) {
        came.add(cells, entries);
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
        went.add(keptCells.subarray(0, to), keptEntries.subarray(0, to));
        if (to > 0) await writer.write(keptCells.subarray(0, to), keptEntries.subarray(0, to));
      },
      close: (sums) => {
        came.assertSame(sums);
        return writer.close(went.sums);
      },
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

/**
 * A matrix without the features that are not genes. They were read as zeros and have no entries, so only their
 * positions are dropped; nothing is read or copied again.
 */
export class KeptGenesMatrix implements GeneMajorMatrix {
  readonly indptr: Float64Array;
  readonly #matrix: GeneMajorMatrix;
  readonly #geneRows: Int32Array;

  constructor(matrix: GeneMajorMatrix, keptGenes: Int32Array) {
    this.#matrix = matrix;
    this.#geneRows = keptGenes;
    const { indptr } = matrix;
    this.indptr = new Float64Array(keptGenes.length + 1);
    keptGenes.forEach((gene, place) => (this.indptr[place + 1] = indptr[gene + 1]!));
  }

  get statistics(): ValueStatistics {
    return this.#matrix.statistics;
  }

  get wide(): boolean {
    return this.#matrix.wide;
  }

  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const keptGenes = this.#geneRows;
    const { parts } = writer;
    const renumbering: MatrixWriter = {
      write: (cells, entries) => writer.write(cells, entries),
      close: (read) =>
        writer.close(read && { ...read, sums: Int32Array.from(keptGenes, (gene) => read.sums[gene]!) }),
      ...(parts && { parts }),
    };
    return this.#matrix.write(values, renumbering, options);
  }

  close(): Promise<void> {
    return this.#matrix.close();
  }
}

/** Conversion of a value as read to ln(1 + x); absent if none is needed. All keep 0 and the order of values. */
export const toNatural: ReadonlyMap<ValueScale, (value: number) => number> = new Map([
  ['log2', (value) => value * Math.LN2],
  ['log10', (value) => value * Math.LN10],
  ['linear', Math.log1p],
]);

export class ConvertedMatrix implements GeneMajorMatrix {
  readonly #matrix: GeneMajorMatrix;
  readonly #convert: (value: number) => number;

  constructor(matrix: GeneMajorMatrix, convert: (value: number) => number) {
    this.#matrix = matrix;
    this.#convert = convert;
  }

  /** Statistics of the values as read. */
  get statistics(): ValueStatistics {
    return this.#matrix.statistics;
  }

  get indptr(): Float64Array {
    return this.#matrix.indptr;
  }

  get wide(): boolean {
    return this.#matrix.wide;
  }

  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    const convert = this.#convert;
    const came = new PassingSums(this.#matrix);
    const went = new PassingSums(this.#matrix);
    const converting: MatrixWriter = {
      write: (cells, entries) => {
        came.add(cells, entries);
        const converted = entries.slice();
        for (let i = 0; i < converted.length; i++) converted[i] = convert(converted[i]!);
        went.add(cells, converted);
        return writer.write(cells, converted);
      },
      close: (sums) => {
        came.assertSame(sums);
        return writer.close(went.sums);
      },
    };
    return this.#matrix.write(values, converting, options);
  }

  close(): Promise<void> {
    return this.#matrix.close();
  }
}
