import type { MatrixWriter } from '@cellfolio/store';
import type { ValueStatistics } from './value-statistics.ts';

export interface ReadOptions {
  /** Normalise raw counts, and keep them beside the expression. */
  readonly normalise: boolean;
  readonly valueType: 'float32' | 'float64';
  readonly memoryBudget: number;
  readonly threads: number;
  /** As the planner has it. */
  readonly inlineEntries?: number;
  /** Memory that the system could keep the file in; asked of it unless told. */
  readonly availableMemory?: number;
  /** Folder for the temporary files. */
  readonly spillFolder: string;
  readonly signal?: AbortSignal | undefined;
  /** Entries read so far, of all. */
  readonly onRead?: ((done: number, total: number) => void) | undefined;
}

export interface WriteOptions {
  /** Values are whole: hand them on as int32. */
  readonly whole: boolean;
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
