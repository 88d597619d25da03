/** Who calls, in the order of the answers below. */
export const callers = [
  'no key',
  'wrong key',
  'signed out',
  'other user',
  'expired trial',
  'standard',
  'professional',
  'service',
] as const;
export type CallerName = (typeof callers)[number];

/** A request of a route, and how it is answered to each of `callers`. */
export interface MatrixEntry {
  /** Its path, where the pattern has places in it; OWNER is the id of the professional user, who owns what is there. */
  readonly path?: string;
  /** Here, and in the path, OWNER as well; NEW is another text for each request. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Statuses. Requests are such that whoever is admitted gets an answer that a refusal never is, and changes nothing
   * that another request needs: an unfit body (400), something that is not there (404).
   */
  readonly answers: string;
  /** A piece of the answer that only those admitted (2xx) who own it, or operate the server, may see. */
  readonly seen?: string;
  /** Of an upload in pieces, which names it in a header of its own. */
  readonly objectName?: string;
  /** Of `statusCode` in the body, where the service answers 400 and says there what it means. */
  readonly told?: string;
}

/** Requests by method and pattern of their route. */
export type Entries = Readonly<Record<string, MatrixEntry>>;

/** The id of nobody and nothing. */
export const nobody = '00000000-0000-4000-8000-000000000000';
