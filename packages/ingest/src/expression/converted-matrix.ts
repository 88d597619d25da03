import type { ValueScale } from '@cellfolio/model';
import type { MatrixWriter } from '@cellfolio/store';
import type { GeneMajorMatrix, WriteOptions } from '../transpose/gene-major-matrix.ts';
import type { ValueStatistics } from '../transpose/value-statistics.ts';

/** From a value as read to ln(1 + x); absent where nothing is to be done. All keep 0 and the order of values. */
export const TO_NATURAL: ReadonlyMap<ValueScale, (value: number) => number> = new Map([
  ['log2', (value) => value * Math.LN2],
  ['log10', (value) => value * Math.LN10],
  ['linear', Math.log1p],
]);

/** A matrix whose values are brought to another scale while they are written; they are read as they are. */
export class ConvertedMatrix implements GeneMajorMatrix {
  readonly #matrix: GeneMajorMatrix;
  readonly #convert: (value: number) => number;

  constructor(matrix: GeneMajorMatrix, convert: (value: number) => number) {
    this.#matrix = matrix;
    this.#convert = convert;
  }

  /** Of the values as they were read. */
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
    const converting: MatrixWriter = {
      write: (cells, entries) => {
        const converted = entries.slice();
        for (let i = 0; i < converted.length; i++) converted[i] = convert(converted[i]!);
        return writer.write(cells, converted);
      },
      close: () => writer.close(),
    };
    return this.#matrix.write(values, converting, options);
  }

  close(): Promise<void> {
    return this.#matrix.close();
  }
}
