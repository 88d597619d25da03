import type { MatrixWriter } from '@cellfolio/store';
import type { ValueStatistics } from './value-statistics.ts';

export interface ReadOptions {
  readonly normalise: boolean;
  /** The counts to normalise may have fractions, like corrected and expected counts. */
  readonly fractions?: boolean;
  readonly valueType: 'float32' | 'float64';
  readonly memoryBudget: number;
  readonly threads: number;
  readonly inlineEntries?: number;
  /** Memory available to cache the file; default: what the system reports. */
  readonly availableMemory?: number;
  readonly spillFolder: string;
  readonly signal?: AbortSignal | undefined;
  /** Receives the entries read so far and the total. */
  readonly onRead?: ((done: number, total: number) => void) | undefined;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onWritten?: (done: number) => void;
}

export interface GeneMajorMatrix {
  readonly statistics: ValueStatistics;
  /** geneCount + 1 positions. */
  readonly indptr: Float64Array;
  /** Whether raw values are float64. */
  readonly wide: boolean;
  write(values: 'expression' | 'counts', writer: MatrixWriter, options: WriteOptions): Promise<void>;
  close(): Promise<void>;
}

/** float32 unless it cannot hold the file's values exactly. */
export type ValueArray = Float32Array | Float64Array;

/**
 * Entries of some cells or genes in gene-major order: gene `firstGene + i` has entries [geneStart[i], geneStart[i +
 * 1]), its cells rising. The arrays are reused for the next batch.
 */
export interface SortedBatch {
  readonly firstGene: number;
  readonly geneStart: Uint32Array;
  readonly cells: Int32Array;
  readonly values: ValueArray;
  readonly counts?: ValueArray;
  readonly statistics: ValueStatistics;
  /** Whether the entries are those of the file, in file order. */
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
