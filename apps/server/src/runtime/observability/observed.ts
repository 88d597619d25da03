import type { CacheUse } from '@cellfolio/store';

/** Caches by the names under which their numbers are told. */
export type NamedCaches = readonly (readonly [name: string, use: CacheUse])[];

/** What is looked at in a process that serves when somebody asks, instead of being counted. */
export interface ObservedCalls {
  readonly computeThreads: number;
  /** Tasks that wait for a compute thread. */
  readonly tasksWaiting: () => number;
  /** Calls that compute, and calls that wait to. */
  readonly callsRunning: () => number;
  readonly callsWaiting: () => number;
  /** What is kept so that it need not be read or computed again, by name. */
  readonly caches: () => NamedCaches;
}

/** Jobs of one kind that have not ended. */
export interface ObservedJobs {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
  /** Seconds since the oldest of them came, or was begun. */
  readonly oldest: number;
}

/** A table of the database. */
export interface ObservedTable {
  /** With its schema. */
  readonly table: string;
  /** As the database last estimated it; NaN where it never has. */
  readonly rows: number;
  /** With its indexes, and what deleted rows still hold. */
  readonly bytes: number;
}

/** What every process can be asked about the database that all of them share. */
export interface ObservedDatabase {
  /** Connections: in all, idle, awaited. */
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  readonly jobs: () => Promise<readonly ObservedJobs[]>;
  readonly tables: () => Promise<readonly ObservedTable[]>;
}

/** A task of a compute thread that has ended. */
export interface ObservedTask {
  readonly kind: string;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'too long';
  readonly seconds: number;
  /** Reads of the object store and the bytes they brought. */
  readonly reads: number;
  readonly bytes: number;
}

/** A job that this process has worked on. */
export interface ObservedRun {
  readonly kind: string;
  /** Taken away: cancelled, deleted or taken over. */
  readonly outcome: 'done' | 'failed' | 'tried again' | 'handed back' | 'taken away';
  readonly seconds: number;
}

/** One read of an object: when (milliseconds since 1970), and how much of it. */
export interface Read {
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly bytes: number;
}

/** What a task has read. */
export interface TaskReads {
  readonly count: number;
  readonly bytes: number;
  /** The reads themselves, as far as they are kept; empty unless asked for. */
  readonly kept: readonly Read[];
}

export type TaskEnd = ObservedTask['outcome'];

/** Hears of every task, for metrics and traces. */
export interface TaskObserver {
  begin(kind: string): {
    /** Each read is to be told, not only how many there were. */
    readonly keepReads: boolean;
    /** `reads` where the thread still told them. */
    end(how: TaskEnd, reads: TaskReads | undefined): void;
  };
}
