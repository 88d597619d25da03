import type { JobProblem } from '@cellfolio/contract';
import type { StorePlace } from '@cellfolio/store';
import type { Client, JobRow, Run } from '../job-table.ts';
import type { Work, WorkResults } from '../work/index.ts';
import type { RunProgress } from '../worker/run-progress.ts';
import type { RecordDeps } from './record-file.ts';

/**
 * Each user runs one job per lane at a time. An inspection takes seconds, and never waits behind builds; a download
 * takes hours of waiting, and does not delay builds.
 */
export const lanes = ['inspect', 'download', 'heavy'] as const;
export type Lane = (typeof lanes)[number];

export interface JobDeps extends RecordDeps {
  objectRoot: StorePlace;
  /** Limit of a job's work. */
  memoryBytes: number;
  /** Local folder of partial downloads, with a folder per user id. */
  downloadRoot: string;
  /** As for `download`. */
  reservations: string;
  mayBePrivate: (address: URL) => boolean;
  downloadPauses?: readonly number[] | undefined;
  /** Runs the conversions of downloads one after the other. */
  convertInTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Corrects the record when a dataset was built although its run does not count. */
  settleDataset: (fileId: string, jobId: string) => Promise<void>;
  /** Removes a dataset built from bytes that are gone. */
  clearOutdated: (fileId: string) => Promise<void>;
  onBuilt: (datasetId: string) => Promise<void>;
}

export interface JobContext {
  /** Folder of this run alone. */
  scratch: string;
  /** Aborts when the server stops or the run has lost its lease. */
  signal: AbortSignal;
  progress: Pick<RunProgress, 'progress' | 'log'>;
  limitMs: number;
}

/** A job with its files on this machine's disk. */
export interface OpenJob<W extends Work> {
  /** Done in a process of its own; undefined when the files are stored unchanged. */
  work: W | undefined;
  /** Default: the limit of the kind. */
  limitMs?: number;
  /** Share of the progress that opening took; default 0. */
  openedShare?: number;
  /** Starts the process when it is this job's turn; default at once. */
  inTurn?: JobDeps['convertInTurn'];
  /**
   * Records the result and ends the run, both or neither, with what follows from it. `unlogged` leaves out notes that
   * the log has. Throws LeaseLost, StorageError.
   */
  record(result: ResultOf<W>, unlogged: (notes: readonly string[]) => string[]): Promise<void>;
  /** Runs once after the run has ended as done. */
  afterwards?: () => Promise<void>;
}

type ResultOf<W extends Work> = W extends Work ? WorkResults[W['kind']] : never;

/** Everything that the worker and the users' calls need to know of a kind of job. */
export interface JobKindRules<W extends Work = Work> {
  lane: Lane;
  limitMs: number;
  /** Owners may start a failed or cancelled job again as it is. */
  isRestartable: boolean;
  /** Throws DownloadRefused, InputMissing, WorkFailed. */
  open: (deps: JobDeps, run: Run, context: JobContext) => Promise<OpenJob<W>>;
  /** Default: `tookTooLong`. */
  tooLong?: (limitMs: number) => JobProblem;
  /** Records the problem of a failed or cancelled job where its result would be shown. */
  recordProblem?: (client: Client, job: JobRow, problem: JobProblem) => Promise<void>;
  /** Message of that problem when the owner cancels the job. */
  cancelledMessage?: string;
  /** Called after the job was taken away from a run. */
  onLost?: (deps: JobDeps, run: Run) => Promise<void>;
}
