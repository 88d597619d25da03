import type { CellMask } from '@cellfolio/model';
import type { CacheUse, Dataset, ObjectStoreLocation } from '@cellfolio/store';
import type { TaskReads } from '../observability/observed.ts';
import type { OwnColumn } from './own-columns.ts';

/** Work for a compute thread, as data that can be posted to it. */
export interface Task<Result = unknown> {
  readonly kind: string;
  /** The dataset that the thread opens for it. */
  readonly dataset?: DatasetRef;
  /** As in `Turn`; for work that cannot be cut into blocks. */
  readonly isLong?: boolean;
  readonly [result]?: Result;
}

/** In types only: carries `Result`. */
declare const result: unique symbol;

export type ResultOf<T extends Task> = T extends Task<infer Result> ? Result : never;

/** A dataset at one version, with a user's own columns beside those of obs. */
export interface DatasetRef {
  readonly id: string;
  readonly version: string;
  readonly own?: readonly OwnColumn[];
}

/** Work on the selected cells. The mask is in shared memory, so that posting it copies nothing. */
export interface CellTask<Result> extends Task<Result> {
  readonly dataset: DatasetRef;
  readonly mask: CellMask | undefined;
}

export interface TaskKind {
  readonly kind: string;
  readonly run: (task: never, using: TaskUsing) => unknown;
}

interface TaskUsing {
  /** The task's dataset; throws when it names none. */
  readonly dataset: Dataset;
  readonly signal: AbortSignal;
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
export type Outcome = (
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly tag: string; readonly message: string }
) & { readonly reads: TaskReads; readonly thread: ThreadReport };

/** Statistics of a thread's caches since it started. */
export interface ThreadReport {
  readonly id: number;
  readonly expression: CacheUse;
  /** The disk cache that all threads share; undefined without one. */
  readonly objects: CacheUse | undefined;
}

export interface ComputeSettings {
  readonly objects: ObjectStoreLocation;
  readonly expressionCacheBytes: number;
  readonly openDatasets: number;
  /** Broadcast channel with the ids of deleted datasets. */
  readonly forgetChannel: string;
  readonly warmFigures: number;
}
