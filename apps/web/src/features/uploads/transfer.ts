/** Why the bytes of a file do not arrive. */
export class TransferFailed extends Error {
  override readonly name = 'TransferFailed';
  /** Status of the answer; `null` where none came. */
  readonly status: number | null;
  /** The answer, as text. */
  readonly answer: string;

  constructor(status: number | null, answer: string, options?: ErrorOptions) {
    super(status === null ? 'The server did not answer.' : `The server answered ${status}.`, options);
    this.status = status;
    this.answer = answer;
  }

  /** Its session is over, or a clock is off. The service of files says so with 403, which also refuses a plan. */
  get isTokenRefused(): boolean {
    return this.status === 401 || (this.status === 403 && /^invalid JWT/i.test(this.answer));
  }

  /** The line or the server was away, and trying again later may help. */
  get isInterruption(): boolean {
    return this.status === null || [423, 502, 503, 504].includes(this.status);
  }
}

export interface TransferOptions {
  file: Blob;
  path: string;
  contentType: string;
  /** Where an earlier transfer of the same file was sent. */
  url: string | null;
  onUrl: (url: string) => void;
  /** Bytes gone so far, whether or not they have arrived. */
  onProgress: (sent: number) => void;
  /** Some have arrived, so the line is there. */
  onArrived: () => void;
  onDone: () => void;
  onFailed: (failure: TransferFailed) => void;
}

/** The bytes of one file on their way. */
export interface Transfer {
  /** Begins, or goes on where it stopped. */
  start: () => void;
  /** Stops so that it can go on; what has arrived is kept. */
  stop: () => Promise<void>;
}

/** The service that takes files, as the queue of uploads needs it. */
export interface TransferService {
  open: (options: TransferOptions) => Promise<Transfer>;
  /** Gives up what has arrived at an address. */
  giveUp: (url: string) => Promise<void>;
}
