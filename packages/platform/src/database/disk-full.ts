import { EngineError } from './errors.ts';

const diskFull = '53100';
const codes: ReadonlySet<unknown> = new Set([diskFull, 'ENOSPC', 'EDQUOT']);

/** What callers are told; which disk and which file is for the log. */
export const diskFullWords =
  'The server has no room left on its disk. What was saved before is kept; try again later.';

/** When it is worth asking again, in seconds: somebody has to make room first. */
export const diskFullRetrySeconds = 30;

/** Whether a disk had no room: that of the database, embedded or a server, or that of files. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof EngineError ? at.isFull : codes.has((at as NodeJS.ErrnoException).code)) {
      return true;
    }
  }
  return false;
}
