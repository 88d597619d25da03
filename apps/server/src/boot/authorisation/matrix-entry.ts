import type { NeededScope } from '../../runtime/http/access.ts';

/** Kinds of callers, in the order of `answers`. */
export const callers = [
  'no key',
  'wrong key',
  'signed out',
  'visitor of the demo',
  'other user',
  'expired trial',
  'standard',
  'professional',
  'password alone of two',
  'service',
] as const;
export type CallerName = (typeof callers)[number];

/** A request to a route, and the response to each of `callers`. */
export interface MatrixEntry {
  /** Path, if the route has parameters; OWNER is the id of the professional user, who owns the test data. */
  path?: string;
  /** OWNER as in `path`; NEW becomes a different text in each request. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /**
   * Statuses, one per caller. The status of an admitted request never equals that of a refusal, and the request changes
   * no test data: its body is invalid (400), or its target does not exist (404).
   */
  answers: string;
  /** Scope that a personal key needs; undefined where no key may call. */
  scope?: NeededScope;
  /** A part of the response that only the owner and the service may see. */
  seen?: string;
  /** Object name of a resumable upload, sent in a header. */
  objectName?: string;
  /** `statusCode` in the body, for services that respond with 400 and put the actual status there. */
  bodyStatus?: string;
}

export type Entries = Readonly<Record<string, MatrixEntry>>;

/** An id that does not exist. */
export const missingId = '00000000-0000-4000-8000-000000000000';
