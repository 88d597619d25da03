import type { ShardFiles } from '@cellfolio/store/worker';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueArray } from './gene-major-matrix.ts';
import type { ValueStatistics } from './value-statistics.ts';

/** What a thread receives once. Plain data. */
export interface JobSetting {
  readonly path: string;
  readonly layout: MatrixLayout;
  readonly normalise: boolean;
  readonly valueType: 'float32' | 'float64';
  readonly batchEntries: number;
  /** Which of the spills this job appends to; it reads from all of them. */
  readonly spill: number;
  /** The genes of a gene-major matrix are read again when they are gathered: nothing is kept of the first time. */
  readonly again?: boolean;
  /** Sums of the entries of each gene that the thread reads and normalises. In shared memory. */
  readonly sums: ThreadSums;
  /** Open temporary file that a compressed matrix is unpacked into when it is read first, and read from after that. */
  readonly unpackTo?: number | undefined;
}

/** As `EntrySums` has them, geneCount each: of the values as they are read, and of the expression they are normalised to. */
export interface ThreadSums {
  readonly read: Int32Array;
  readonly normalised: Int32Array;
}

/** Rows [first, first + count) of the matrix: cells, or genes of a gene-major one. */
export interface SortTask {
  readonly kind: 'sort' | 'sum';
  readonly first: number;
  readonly count: number;
  /** Positions of the rows' entries in the file, count + 1; empty for a dense matrix. */
  readonly rowStart: Float64Array;
  /** Counts of each cell, for a gene-major matrix that is normalised; of `sum` those of one thread, which it adds to. */
  readonly totals?: Float64Array | undefined;
  /** Whether the values were seen before, and were such that they can be stored as they are. */
  readonly seen?: boolean;
  readonly asStored?: boolean;
}

/** Where the entries of one sorted batch are kept. */
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

/** Entries of the genes [firstGene, endGene) from all batches, or of some batches that are read again. */
export interface GeneRun {
  readonly firstGene: number;
  readonly endGene: number;
  readonly values: 'expression' | 'counts';
  readonly again?: readonly SortTask[];
}

export interface GatherTask extends GeneRun {
  readonly kind: 'gather';
  /** Arrays in memory that threads share, with room for the entries. */
  readonly into: GatheredGenes;
}

/** Writes entries of whole genes to their place in the dataset, those that are there or those of a run. */
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
