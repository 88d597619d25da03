import type { ValueStatistics } from './value-statistics.ts';

/** Values as they are carried: float32 unless the file's own cannot be kept exactly in it. */
export type ValueArray = Float32Array | Float64Array;

/**
 * Entries of some cells or of some genes in gene-major order: gene `firstGene + i` has the entries
 * [geneStart[i], geneStart[i + 1]), its cells rising. The arrays are reused for the next batch.
 */
export interface SortedBatch {
  readonly firstGene: number;
  readonly geneStart: Uint32Array;
  readonly cells: Int32Array;
  /** Expression. */
  readonly values: ValueArray;
  /** The raw counts behind it, where the expression was normalised from them. */
  readonly counts?: ValueArray;
  readonly statistics: ValueStatistics;
}

/** Thrown for an entry that points outside the matrix; the reader knows its place in the file. */
export class EntryOutOfRange extends Error {
  readonly position: number;
  readonly index: number;
  readonly limit: number;

  constructor(position: number, index: number, limit: number) {
    super(`entry ${position} has index ${index} of ${limit}`);
    this.name = 'EntryOutOfRange';
    this.position = position;
    this.index = index;
    this.limit = limit;
  }
}
