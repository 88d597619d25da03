/** A sentence, or of several possibilities what each is. */
type Details = string | readonly object[] | null;

export interface RestErrorDetails {
  readonly details?: Details;
  readonly hint?: string | null;
  /** Headers that go with the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal of the REST service: the true HTTP status, PostgREST's code or an SQLSTATE, a sentence for the caller. */
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

/** PGRST100: a query parameter that cannot be read. */
export function unreadable(what: string, text: string, details: string): RestError {
  return new RestError(400, 'PGRST100', `failed to parse ${what} (${shortened(text)})`, { details });
}

/** Long texts of callers are not sent back whole. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
