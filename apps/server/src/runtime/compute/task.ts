import type { CellMask } from '@cellfolio/model';
import type { CacheUse, Dataset, ObjectStoreLocation } from '@cellfolio/store';
import type { TaskReads } from '../observability/observed.ts';

/** Work for a compute thread, as plain data that crosses the thread boundary. `Result` is what the thread answers. */
export interface Task<Result = unknown> {
  readonly kind: string;
  /** What the thread opens for it; absent where it reads no dataset. */
  readonly dataset?: DatasetRef;
  /** It takes a thread for longer than others should wait and cannot be cut; work over the matrix comes in blocks. */
  readonly isLong?: boolean;
  readonly [result]?: Result;
}

/** Only in types: no task has it. */
declare const result: unique symbol;

export type ResultOf<T extends Task> = T extends Task<infer Result> ? Result : never;

/** A dataset at one version: work on an older version must not meet newer data. */
export interface DatasetRef {
  readonly id: string;
  readonly version: string;
}

/** The chosen cells; its bits are shared memory, so that handing it over copies nothing. */
export interface CellTask<Result> extends Task<Result> {
  readonly dataset: DatasetRef;
  readonly mask: CellMask | undefined;
}

/** How a thread does the tasks of one kind. */
export interface TaskKind {
  readonly kind: string;
  readonly run: (task: never, using: TaskUsing) => unknown;
}

interface TaskUsing {
  /** The dataset that the task names, open; throws where it names none. */
  readonly dataset: Dataset;
  /** Aborts when nobody waits for the task any more. */
  readonly signal: AbortSignal;
}

export function taskKind<T extends Task>(
  kind: T['kind'],
  run: (task: T, using: TaskUsing) => ResultOf<T> | Promise<ResultOf<T>>,
): TaskKind {
  return { kind, run };
}

/** The kind of a task that does no more than every task begins with: forgetting what is gone. */
export const tidy = 'tidy';

/** Error classes do not survive the thread boundary, so a failure travels as data. */
export type Outcome = (
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly tag: string; readonly message: string }
) & { readonly reads: TaskReads; readonly thread: ThreadReport };

/** How a thread uses its caches, since it began. */
export interface ThreadReport {
  readonly id: number;
  readonly expression: CacheUse;
  /** The folder on the disk that all threads share; absent where nothing is kept there. */
  readonly objects: CacheUse | undefined;
}

/** Settings every compute thread starts with. */
export interface ComputeSettings {
  readonly objects: ObjectStoreLocation;
  readonly expressionCacheBytes: number;
  readonly openDatasets: number;
  /** Name of the broadcast channel that carries the ids of datasets to forget. */
  readonly forgetChannel: string;
}
