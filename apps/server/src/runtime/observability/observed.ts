import type { CacheUse } from '@cellfolio/store';

/** Caches by the `cache` label of their metrics. */
export type NamedCaches = readonly (readonly [name: string, use: CacheUse])[];

export interface ObservedCalls {
  readonly computeThreads: number;
  readonly tasksWaiting: () => number;
  /** Number of running calls that compute. */
  readonly callsRunning: () => number;
  readonly callsWaiting: () => number;
  readonly caches: () => NamedCaches;
}

export interface ObservedJobs {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
  /** Seconds since the oldest of them was created, or started. */
  readonly oldest: number;
}

export interface ObservedTable {
  /** `schema.name`. */
  readonly table: string;
  /** As last estimated by the database; NaN before that. */
  readonly rows: number;
  /** Including indexes and dead rows. */
  readonly bytes: number;
}

export interface ObservedDatabase {
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  readonly jobs: () => Promise<readonly ObservedJobs[]>;
  readonly tables: () => Promise<readonly ObservedTable[]>;
}

export interface ObservedTask {
  readonly kind: string;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'too long';
  readonly seconds: number;
  /** Number of reads from the object store. */
  readonly reads: number;
  readonly bytes: number;
}

export interface ObservedRun {
  readonly kind: string;
  /** `taken away`: cancelled, deleted or taken over by another process. */
  readonly outcome: 'done' | 'failed' | 'tried again' | 'handed back' | 'taken away';
  readonly seconds: number;
}

/** Objects or datasets that housekeeping removed because no row names them. */
export interface ObservedLeftovers {
  readonly kind: 'objects' | 'datasets';
  readonly count: number;
  readonly bytes: number;
}

/** One read of an object. Times are milliseconds since 1970. */
export interface Read {
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly bytes: number;
}

export interface TaskReads {
  readonly count: number;
  readonly bytes: number;
  /** The first reads of a traced task; otherwise empty. */
  readonly kept: readonly Read[];
}

export type TaskEnd = ObservedTask['outcome'];

export interface TaskObserver {
  begin(kind: string): {
    /** The task is traced: record each read. */
    readonly keepReads: boolean;
    /** `reads` is undefined when the task never ran or its thread died. */
    end(how: TaskEnd, reads: TaskReads | undefined): void;
  };
}
