import type { BuildRequest, Job, JobProblem } from '@cellfolio/contract';

export type JobKind = Job['kind'];

/** What was chosen. `replaced`: for the bytes that the file had before those that are looked at. */
export type JobRequest = BuildRequest & { readonly replaced?: boolean };

/** A row of `cellfolio.jobs`. */
export interface JobRow {
  readonly id: string;
  readonly user_id: string;
  readonly kind: JobKind;
  readonly file_ids: readonly string[];
  readonly name: string;
  /** Of a build: what was chosen for it. Of an inspection: for the build that follows. */
  readonly request: JobRequest;
  readonly state: Job['state'];
  readonly stage: string | null;
  readonly progress: number;
  readonly log: Job['log'];
  readonly attempts: number;
  readonly problem: JobProblem | null;
  readonly result_file_id: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export const jobColumns = `id, user_id, kind, file_ids, name, request, state, stage, progress, log, attempts, problem,
  result_file_id, created_at, started_at, finished_at`;

/** The job as its owner sees it. */
export function jobOf(row: JobRow): Job {
  const { id, kind, name, state, stage, progress, attempts, problem, result_file_id } = row;
  return {
    id,
    kind,
    file_ids: [...row.file_ids],
    name,
    state,
    stage,
    progress,
    log: row.log,
    attempts,
    problem,
    result_file_id,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
