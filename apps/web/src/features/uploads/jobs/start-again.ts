import type { Job, JobProblem, UserFileList } from '@cellfolio/contract';
import { isActive } from './own-files.ts';

/**
 * Whether a job that ended without a result can be restarted: its files still exist, and no later job of its kind was
 * started on any of them. A failure would recur unless its reason may be transient.
 */
export function canStartAgain(job: Job, { files, jobs }: Pick<UserFileList, 'files' | 'jobs'>): boolean {
  if (isActive(job) || job.state === 'done') return false;
  if ((job.state === 'failed' || job.kind === 'inspect') && !mayPass(job.problem)) return false;
  const there = new Set(files.map(({ file_id }) => file_id));
  if (isOrder(job)) {
    // The same name: restarted already.
    const later = (other: Job) => Date.parse(other.created_at) > Date.parse(job.created_at);
    return (
      job.file_ids.every((id) => there.has(id)) &&
      !jobs.some((other) => other.kind === job.kind && other.name === job.name && later(other))
    );
  }
  return (
    job.file_ids.length > 0 &&
    job.file_ids.every((id) => there.has(id)) &&
    !jobs.some(
      (other) =>
        other.id !== job.id &&
        other.kind === job.kind &&
        Date.parse(other.created_at) > Date.parse(job.created_at) &&
        other.file_ids.some((id) => job.file_ids.includes(id)),
    )
  );
}

export function isOrder({ kind }: Pick<Job, 'kind'>): boolean {
  return ['download', 'combine', 'subset', 'copy', 'cellxgene'].includes(kind);
}

/** Transient problems: of this or another server, or of free space, not of the file. */
const transientProblems: ReadonlySet<string> = new Set([
  'cancelled',
  'crashed',
  'download_failed',
  'file_missing',
  'internal',
  'no_space',
  'not_found',
  'not_stored',
  'out_of_memory',
  'quota_exceeded',
  'took_too_long',
  'worker_lost',
]);

export function mayPass(problem: Pick<JobProblem, 'code'> | null): boolean {
  return problem !== null && transientProblems.has(problem.code);
}
