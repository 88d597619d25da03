import type { JobProblem } from '@cellfolio/contract';

/** Reasons that lie with the server or the moment, not with the file. */
const passing: ReadonlySet<string> = new Set([
  'cancelled',
  'crashed',
  'file_missing',
  'internal',
  'no_space',
  'not_found',
  'not_stored',
  'out_of_memory',
  'took_too_long',
  'worker_lost',
]);

/** Whether what failed for this reason may succeed when it is tried again on the same file. */
export function mayPass(problem: Pick<JobProblem, 'code'> | null): boolean {
  return problem !== null && passing.has(problem.code);
}
