import type { JobProblem } from '@cellfolio/contract';

/** Work that ended without a result, for a reason that its owner can be told. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
  /** Stable, for programs, such as `not_hdf5` or `too_large`. */
  readonly code: string;

  /** The message is shown to the owner: it names files by their names and no places on this machine. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What the owner of a job is told of an error; what was not meant for them is not told. */
export function problemOf(error: unknown): JobProblem {
  if (error instanceof WorkFailed) return { code: error.code, message: error.message };
  if (error instanceof Error && error.name === 'AbortError')
    return { code: 'cancelled', message: 'The work was cancelled.' };
  return {
    code: 'internal',
    message: 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.',
  };
}
