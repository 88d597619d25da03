import { ForbiddenRedirect } from './library-answer.ts';

/** An attempt that failed; `final` where another could not do better. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly final: boolean;
  /** What the server asked for, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    options: { final?: boolean; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.final = options.final ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** Any error of an attempt, in plain words. */
export function asFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof ForbiddenRedirect)
    return new AttemptFailed(error.message, { final: true, cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  return new AttemptFailed(plainWords(code, message), {
    // A certificate does not mend itself within seconds.
    final: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? ''),
    cause: error,
  });
}

function plainWords(code: string | undefined, message: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of the server cannot be resolved; is there a network?';
    case 'ECONNREFUSED':
      return 'nobody answers at this address';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return 'the server cannot be reached';
  }
  return message || code || 'the connection failed';
}
