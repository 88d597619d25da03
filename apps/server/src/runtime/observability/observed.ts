import type { CacheUse } from '@cellfolio/store';

/** Caches by the `cache` label of their metrics. */
export type NamedCaches = readonly (readonly [name: string, use: CacheUse])[];

/** Read when metrics are collected, in a process that serves calls. */
export interface ObservedCalls {
  readonly computeThreads: number;
  readonly tasksWaiting: () => number;
  /** Of calls that compute. */
  readonly callsRunning: () => number;
  readonly callsWaiting: () => number;
  readonly caches: () => NamedCaches;
}

/** Jobs of one kind and state that have not ended. */
export interface ObservedJobs {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
  /** Seconds since the oldest of them was created, or started. */
  readonly oldest: number;
}

/** A table of the database. */
export interface ObservedTable {
  /** `schema.name`. */
  readonly table: string;
  /** As last estimated by the database; NaN before that. */
  readonly rows: number;
  /** Including indexes and dead rows. */
  readonly bytes: number;
}

/** Read when metrics are collected, in every process. */
export interface ObservedDatabase {
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  readonly jobs: () => Promise<readonly ObservedJobs[]>;
  readonly tables: () => Promise<readonly ObservedTable[]>;
}

/** A compute task that has ended. */
export interface ObservedTask {
  readonly kind: string;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'too long';
  readonly seconds: number;
  /** Number of reads from the object store. */
  readonly reads: number;
  readonly bytes: number;
}

/** One run of a job in this process. */
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

/** Reads of one task. */
export interface TaskReads {
  readonly count: number;
  readonly bytes: number;
  /** The first reads of a traced task; otherwise empty. */
  readonly kept: readonly Read[];
}

export type TaskEnd = ObservedTask['outcome'];

/** Observes all tasks, for metrics and traces. */
export interface TaskObserver {
  begin(kind: string): {
    /** The task is traced: record each read. */
    readonly keepReads: boolean;
    /** @param reads undefined when the task never ran or its thread died */
    end(how: TaskEnd, reads: TaskReads | undefined): void;
  };
}
