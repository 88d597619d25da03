import type { MatrixWriter } from '@cellfolio/store';
import type { ValueStatistics } from './value-statistics.ts';

export interface ReadOptions {
  /** Normalise raw counts, and keep them beside the expression. */
  readonly normalise: boolean;
  /** The counts to normalise may have fractions, as corrected and expected ones have. */
  readonly fractions?: boolean;
  readonly valueType: 'float32' | 'float64';
  readonly memoryBudget: number;
  readonly threads: number;
  /** As the planner has it. */
  readonly inlineEntries?: number;
  /** Memory available to cache the file; by default what the system reports. */
  readonly availableMemory?: number;
  /** Folder for the temporary files. */
  readonly spillFolder: string;
  readonly signal?: AbortSignal | undefined;
  /** Entries read so far, of all. */
  readonly onRead?: ((done: number, total: number) => void) | undefined;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onWritten?: (done: number) => void;
}

/** A matrix of which all values were seen, ready to be written gene by gene. */
export interface GeneMajorMatrix {
  readonly statistics: ValueStatistics;
  /** geneCount + 1 positions. */
  readonly indptr: Float64Array;
  /** Whether raw values are carried in float64. */
  readonly wide: boolean;
  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void>;
  close(): Promise<void>;
}

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
  /** Whether the entries are those of the file, in its order. */
  readonly asStored?: boolean;
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
