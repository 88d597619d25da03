import type { CellMask } from '@cellfolio/model';
import type { CacheUse, Dataset, ObjectStoreLocation } from '@cellfolio/store';
import type { TaskReads } from '../observability/observed.ts';
import type { UserColumn } from './own-columns.ts';

/** Work for a compute thread, as data that can be posted to it. */
export interface Task<Result = unknown> {
  kind: string;
  /** The dataset that the thread opens for it. */
  dataset?: DatasetRef;
  /** As in `Turn`; for work that cannot be cut into blocks. */
  isLong?: boolean;
  [result]?: () => Result;
}

/** In types only: carries `Result`. */
declare const result: unique symbol;

export type ResultOf<T extends Task> = T extends Task<infer Result> ? Result : never;

/** A dataset at one version, with a user's own columns beside those of obs. */
export interface DatasetRef {
  id: string;
  version: string;
  own?: readonly UserColumn[];
}

/** Work on the selected cells. The mask is in shared memory, so that posting it copies nothing. */
export interface CellTask<Result> extends Task<Result> {
  dataset: DatasetRef;
  mask: CellMask | undefined;
}

export interface TaskKind {
  kind: string;
  run: (task: never, using: TaskUsing) => unknown;
}

interface TaskUsing {
  /** The task's dataset; throws when it names none. */
  dataset: Dataset;
  signal: AbortSignal;
}

export function taskKind<T extends Task>(
  kind: T['kind'],
  run: (task: T, using: TaskUsing) => ResultOf<T> | Promise<ResultOf<T>>,
): TaskKind {
  return { kind, run };
}

/** A task that only does what precedes every task: closing deleted datasets. */
export const tidy = 'tidy';

/** Error classes cannot be posted between threads, so a failure is data. */
export type Outcome = ({ ok: true; result: unknown } | { ok: false; tag: string; message: string }) & {
  reads: TaskReads;
  thread: ThreadReport;
};

/** Statistics of a thread's caches since it started. */
export interface ThreadReport {
  id: number;
  expression: CacheUse;
  /** The disk cache that all threads share; undefined without one. */
  objects: CacheUse | undefined;
}

export interface ComputeSettings {
  objects: ObjectStoreLocation;
  expressionCacheBytes: number;
  openDatasets: number;
  /** Broadcast channel with the ids of deleted datasets. */
  forgetChannel: string;
  warmFigures: number;
}
