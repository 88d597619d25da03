import type { MatrixWriter } from '@cellfolio/store';
import type { ValueStatistics } from './value-statistics.ts';

export interface ReadOptions {
  normalise: boolean;
  /** The counts to normalise may have fractions, like corrected and expected counts. */
  fractions?: boolean;
  valueType: 'float32' | 'float64';
  memoryBudget: number;
  threads: number;
  inlineEntries?: number;
  /** Memory available to cache the file; default: what the system reports. */
  availableMemory?: number;
  spillFolder: string;
  signal?: AbortSignal | undefined;
  /** Receives the entries read so far and the total. */
  onRead?: ((done: number, total: number) => void) | undefined;
}

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  onWritten?: (done: number) => void;
}

export interface GeneMajorMatrix {
  statistics: ValueStatistics;
  /** geneCount + 1 positions. */
  indptr: Float64Array;
  /** Whether raw values are float64. */
  wide: boolean;
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
  firstGene: number;
  geneStart: Uint32Array;
  cells: Int32Array;
  values: ValueArray;
  counts?: ValueArray;
  statistics: ValueStatistics;
  /** Whether the entries are those of the file, in file order. */
  asStored?: boolean;
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
