import type { CacheUse } from '@cellfolio/store';

/** Caches by the `cache` label of their metrics. */
export type NamedCaches = readonly (readonly [name: string, use: CacheUse])[];

export interface ObservedCalls {
  computeThreads: number;
  tasksWaiting: () => number;
  /** Number of running calls that compute. */
  callsRunning: () => number;
  callsWaiting: () => number;
  caches: () => NamedCaches;
}

export interface ObservedJobs {
  kind: string;
  state: string;
  count: number;
  /** Seconds since the oldest of them was created, or started. */
  oldest: number;
}

export interface ObservedTable {
  /** `schema.name`. */
  table: string;
  /** As last estimated by the database; NaN before that. */
  rows: number;
  /** Including indexes and dead rows. */
  bytes: number;
}

export interface ObservedDatabase {
  connections: () => { total: number; idle: number; waiting: number };
  jobs: () => Promise<readonly ObservedJobs[]>;
  tables: () => Promise<readonly ObservedTable[]>;
}

export interface ObservedTask {
  kind: string;
  outcome: 'done' | 'failed' | 'cancelled' | 'too long';
  seconds: number;
  /** Number of reads from the object store. */
  reads: number;
  bytes: number;
}

export interface ObservedRun {
  kind: string;
  /** `taken away`: cancelled, deleted or taken over by another process. */
  outcome: 'done' | 'failed' | 'tried again' | 'handed back' | 'taken away';
  seconds: number;
}

/** Objects or datasets that housekeeping removed because no row names them. */
export interface ObservedLeftovers {
  kind: 'objects' | 'datasets';
  count: number;
  bytes: number;
}

/** One read of an object. Times are milliseconds since 1970. */
export interface Read {
  key: string;
  startedAt: number;
  endedAt: number;
  bytes: number;
}

export interface TaskReads {
  count: number;
  bytes: number;
  /** The first reads of a traced task; otherwise empty. */
  firstReads: readonly Read[];
}

export type TaskEnd = ObservedTask['outcome'];

export interface TaskObserver {
  begin(kind: string): {
    /** The task is traced: record each read. */
    keepReads: boolean;
    /** `reads` is undefined when the task never ran or its thread died. */
    end(how: TaskEnd, reads: TaskReads | undefined): void;
  };
}
