import { DatabaseError } from 'pg';
import {
  isDatabaseUnavailable,
  diskFullRetrySeconds,
  diskFullMessage,
  isDiskFull,
} from '../database/errors.ts';

/** A sentence, or a description of each candidate. */
type Details = string | readonly object[] | null;

interface RestErrorDetails {
  details?: Details;
  hint?: string | null;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/**
 * A refusal of the REST service: the true HTTP status, PostgREST's code or an SQLSTATE, and a message for the caller.
 */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly code: string;
  readonly details: Details;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, more: RestErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}

export function unreadable(what: string, text: string, details: string): RestError {
  return new RestError(400, 'PGRST100', `failed to parse ${what} (${shortened(text)})`, { details });
}

/** Callers' texts are not echoed in full. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Status by SQLSTATE, as clients of a hosted project expect; the longest prefix counts. */
const statuses = new Map<string, number>([
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['23503', 409],
  ['23505', 409],
  ['25', 500],
  ['25006', 405],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  // Conflicting transactions: a retry may succeed.
  ['40', 503],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['53', 503],
  ['54', 413],
  ['55', 500],
  ['55P03', 503],
  ['57', 500],
  ['57P01', 503],
  ['57P02', 503],
  ['57P03', 503],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0', 500],
  ['P0001', 400],
  ['XX', 500],
]);

/**
 * Failures inside the database rather than of the request (resources, operator actions, the system, internal errors):
 * their messages name files, processes and settings, which belong in the log.
 */
const ofTheInside = /^(?:08|53|57P|58|F0|XX)/;

/** Converts a database error to a response; undefined for an error of our own. */
export function databaseRefusal(
  error: unknown,
  { anonymous }: { anonymous: boolean },
): RestError | undefined {
  if (isDiskFull(error)) {
    return new RestError(507, '53100', diskFullMessage, {
      headers: { 'retry-after': String(diskFullRetrySeconds) },
      cause: error,
    });
  }
  if (error instanceof DatabaseError && error.code !== undefined) {
    const { code } = error;
    if (ofTheInside.test(code)) return inside(code, error);
    return new RestError(statusOf(code, anonymous), code, error.message, {
      details: error.detail ?? null,
      hint: error.hint ?? namedLimit(error) ?? null,
      cause: error,
      ...(statusOf(code, anonymous) === 503 && { headers: { 'retry-after': '1' } }),
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new RestError(503, 'PGRST001', 'The database cannot be reached right now', {
      hint: 'Try again in a moment.',
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
  return undefined;
}

/** Check constraints on columns are named by their message, such as `title takes 2,000 characters at most`. */
function namedLimit({ code, constraint }: DatabaseError): string | undefined {
  if (code !== '23514' || !constraint?.includes(' takes ')) return undefined;
  return `Shorten it: ${constraint}.`;
}

function inside(code: string, cause: DatabaseError): RestError {
  const status = statusOf(code, false);
  return status === 503
    ? new RestError(503, code, 'The database cannot do this right now', {
        hint: 'Try again in a moment.',
        headers: { 'retry-after': '1' },
        cause,
      })
    : new RestError(status, code, 'The database could not do this', { cause });
}

function statusOf(code: string, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403;
  // Database functions can set the status.
  const chosen = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  if (chosen !== undefined) return Number(chosen);
  return statuses.get(code) ?? statuses.get(code.slice(0, 2)) ?? 400;
}
