export class ApiRefusal extends Error {
  readonly tag = 'ApiRefusal';
  readonly status: number;
  /** Stable tag of the server's error, such as `no_dataset_loaded`; empty if the body was not one of its errors. */
  readonly code: string;
  /** The server's message, or the raw body. */
  readonly body: string;
  readonly details: unknown;

  constructor(status: number, code: string, body: string, details?: unknown) {
    super(`${status} - ${body}`);
    this.name = 'ApiRefusal';
    this.status = status;
    this.code = code;
    this.body = body;
    this.details = details;
  }
}

export class ApiUnreachable extends Error {
  readonly tag = 'ApiUnreachable';

  constructor(cause: unknown) {
    super('The server did not answer. Check the connection and try again.', { cause });
    this.name = 'ApiUnreachable';
  }
}

export class ApiContractBroken extends Error {
  readonly tag = 'ApiContractBroken';

  constructor(path: string, cause: unknown) {
    super(`The answer of ${path} is not in the agreed form.`, { cause });
    this.name = 'ApiContractBroken';
  }
}

export class CallFailed extends Error {
  readonly tag = 'CallFailed';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'CallFailed';
  }

  get reason(): string {
    return this.cause instanceof Error ? reasonOf(this.cause) : '';
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof ApiRefusal) return error.body;
  return error instanceof Error ? error.message : String(error);
}
