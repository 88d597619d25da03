import type { ShardFiles } from '@cellfolio/store/worker';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueArray } from './gene-major-matrix.ts';
import type { ValueStatistics } from './value-statistics.ts';

/** Sent to a thread once. Plain data. */
export interface JobSetting {
  path: string;
  layout: MatrixLayout;
  normalise: boolean;
  valueType: 'float32' | 'float64';
  batchEntries: number;
  /** Index of the spill this job appends to; it reads from all of them. */
  spill: number;
  /** The genes of a gene-major matrix are read again when gathered: nothing is kept from the first read. */
  again?: boolean;
  /** Sums of the entries of each gene that the thread reads and normalises. In shared memory. */
  sums: ThreadSums;
  /** Open temporary file into which a compressed matrix is unpacked at the first read; later reads use it. */
  unpackTo?: number | undefined;
}

/** Length geneCount each, see `EntrySums`: sums of the values as read, and of the expression normalised from them. */
export interface ThreadSums {
  read: Int32Array;
  normalised: Int32Array;
}

/** Rows [first, first + count) of the matrix: cells, or the genes of a gene-major one. */
export interface SortTask {
  kind: 'sort' | 'sum';
  first: number;
  count: number;
  /** Positions of the rows' entries in the file, count + 1; empty for a dense matrix. */
  rowStart: Float64Array;
  /**
   * Counts of each cell, for a gene-major matrix that is normalised; for `sum`, one thread's totals, which it adds to.
   */
  totals?: Float64Array | undefined;
  /** Whether the values were seen before and can be stored unchanged. */
  seen?: boolean;
  asStored?: boolean;
}

export interface BatchRecord {
  spill: number;
  firstGene: number;
  geneStart: Uint32Array;
  cellsAt: number;
  valuesAt: number;
  countsAt: number;
  statistics: ValueStatistics;
  asStored?: boolean | undefined;
}

/** Entries of genes [firstGene, endGene) from all batches, or of some batches that are read again. */
export interface GeneRun {
  firstGene: number;
  endGene: number;
  values: 'expression' | 'counts';
  again?: readonly SortTask[];
}

export interface GatherTask extends GeneRun {
  kind: 'gather';
  /** Arrays in shared memory, with room for the entries. */
  into: GatheredGenes;
}

export interface StoreTask {
  kind: 'store';
  position: number;
  count: number;
  files: ShardFiles;
  from: GatheredGenes | GeneRun;
}

export interface GatheredGenes {
  cells: Int32Array;
  values: ValueArray;
}
