import type { MatrixWriter } from '@cellfolio/store';
import type { GeneMajorMatrix, WriteOptions } from '../transpose/gene-major-matrix.ts';
import type { ValueStatistics } from '../transpose/value-statistics.ts';

/**
 * A matrix without the features that are no genes. They were read as zeros, so none of them has an entry: only their
 * positions are left out, and nothing is read or copied again.
 */
export class KeptGenesMatrix implements GeneMajorMatrix {
  readonly indptr: Float64Array;
  readonly #matrix: GeneMajorMatrix;

  constructor(matrix: GeneMajorMatrix, kept: Int32Array) {
    this.#matrix = matrix;
    const { indptr } = matrix;
    this.indptr = new Float64Array(kept.length + 1);
    kept.forEach((gene, place) => (this.indptr[place + 1] = indptr[gene + 1]!));
  }

  get statistics(): ValueStatistics {
    return this.#matrix.statistics;
  }

  get wide(): boolean {
    return this.#matrix.wide;
  }

  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void> {
    return this.#matrix.write(values, writer, options);
  }

  close(): Promise<void> {
    return this.#matrix.close();
  }
}
