import type { ShardFiles } from '@cellfolio/store/worker';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueArray } from './gene-major-matrix.ts';
import type { ValueStatistics } from './value-statistics.ts';

/** Sent to a thread once. Plain data. */
export interface JobSetting {
  readonly path: string;
  readonly layout: MatrixLayout;
  readonly normalise: boolean;
  readonly valueType: 'float32' | 'float64';
  readonly batchEntries: number;
  /** Index of the spill this job appends to; it reads from all of them. */
  readonly spill: number;
  /** The genes of a gene-major matrix are read again when gathered: nothing is kept from the first read. */
  readonly again?: boolean;
  /** Sums of the entries of each gene that the thread reads and normalises. In shared memory. */
  readonly sums: ThreadSums;
  /** Open temporary file into which a compressed matrix is unpacked at the first read; later reads use it. */
  readonly unpackTo?: number | undefined;
}

/** Length geneCount each, see `EntrySums`: sums of the values as read, and of the expression normalised from them. */
export interface ThreadSums {
  readonly read: Int32Array;
  readonly normalised: Int32Array;
}

/** Rows [first, first + count) of the matrix: cells, or the genes of a gene-major one. */
export interface SortTask {
  readonly kind: 'sort' | 'sum';
  readonly first: number;
  readonly count: number;
  /** Positions of the rows' entries in the file, count + 1; empty for a dense matrix. */
  readonly rowStart: Float64Array;
  /**
   * Counts of each cell, for a gene-major matrix that is normalised; for `sum`, one thread's totals, which it adds to.
   */
  readonly totals?: Float64Array | undefined;
  /** Whether the values were seen before and can be stored unchanged. */
  readonly seen?: boolean;
  readonly asStored?: boolean;
}

export interface BatchRecord {
  readonly spill: number;
  readonly firstGene: number;
  readonly geneStart: Uint32Array;
  readonly cellsAt: number;
  readonly valuesAt: number;
  readonly countsAt: number;
  readonly statistics: ValueStatistics;
  readonly asStored?: boolean | undefined;
}

/** Entries of genes [firstGene, endGene) from all batches, or of some batches that are read again. */
export interface GeneRun {
  readonly firstGene: number;
  readonly endGene: number;
  readonly values: 'expression' | 'counts';
  readonly again?: readonly SortTask[];
}

export interface GatherTask extends GeneRun {
  readonly kind: 'gather';
  /** Arrays in shared memory, with room for the entries. */
  readonly into: GatheredGenes;
}

export interface StoreTask {
  readonly kind: 'store';
  readonly position: number;
  readonly count: number;
  readonly files: ShardFiles;
  readonly from: GatheredGenes | GeneRun;
}

export interface GatheredGenes {
  readonly cells: Int32Array;
  readonly values: ValueArray;
}
