export type ProcessErrorCode =
  'too-large' | 'not-counts' | 'malformed-counts' | 'too-few-cells' | 'no-variable-genes' | 'worker-died';

/** Counts that cannot be processed; the message says why and what to do. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly code: ProcessErrorCode;

  constructor(code: ProcessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
