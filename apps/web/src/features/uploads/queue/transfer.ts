import type { HttpRequest } from 'tus-js-client';
import type { Services } from '@/lib/services.ts';
import { userFilesBucket } from '../user-files.ts';

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

// Hosted projects take chunks of this size only.
const chunkSize = 6 * 1024 * 1024;

/** Files go in chunks by the tus protocol: what has arrived stays when the line is cut or the page is closed. */
export function tusTransfers({ config, auth }: Pick<Services, 'config' | 'auth'>): TransferService {
  const endpoint = `${config.supabaseUrl}/storage/v1/upload/resumable`;
  /** The session of the moment: an upload outlives an access token. */
  const authorise = async (request: HttpRequest) => {
    const token = (await auth.getSession()).data.session?.access_token ?? config.publishableKey;
    request.setHeader('apikey', config.publishableKey);
    request.setHeader('authorization', `Bearer ${token}`);
  };
  const shared = {
    chunkSize,
    // Lost connections are the business of the queue, which shows them; this is for a line that died unnoticed.
    retryDelays: [500, 2000],
    onShouldRetry: (error: unknown) => {
      const failure = failureOf(error);
      return failure.isTokenRefused || failure.status === 409 || failure.status === 423;
    },
    // What is needed to go on is kept with the name and the description, in pending-uploads.ts.
    storeFingerprintForResuming: false,
    onBeforeRequest: authorise,
    // A clock that is off, here or there, lets a token end before its time: a new one is good for the next try.
    onAfterResponse: async (_request: HttpRequest, answer: Answer) => {
      if (failedWith(answer).isTokenRefused) await auth.refreshSession();
    },
  };
  return {
    async open({ file, path, contentType, url, onUrl, onProgress, onArrived, onDone, onFailed }) {
      const { Upload } = await import('tus-js-client');
      const upload = new Upload(file, {
        ...shared,
        endpoint,
        // An address of elsewhere, from other settings, must not be given the session.
        uploadUrl: url?.startsWith(`${endpoint}/`) === true ? url : null,
        metadata: { bucketName: userFilesBucket, objectName: path, contentType, cacheControl: '3600' },
        onUploadUrlAvailable: () => upload.url !== null && onUrl(upload.url),
        onProgress,
        onChunkComplete: onArrived,
        onSuccess: onDone,
        onError: (error) => onFailed(failureOf(error)),
      });
      return { start: () => upload.start(), stop: () => upload.abort() };
    },
    async giveUp(url) {
      if (!url.startsWith(`${endpoint}/`)) return;
      const { Upload } = await import('tus-js-client');
      await Upload.terminate(url, shared);
    },
  };
}

function failureOf(error: unknown): TransferFailed {
  const answer =
    error instanceof Error && 'originalResponse' in error ? (error.originalResponse as Answer | null) : null;
  return failedWith(answer, error);
}

function failedWith(answer: Answer | null, cause?: unknown): TransferFailed {
  return new TransferFailed(answer?.getStatus() ?? null, answer?.getBody() ?? '', { cause });
}

interface Answer {
  getStatus: () => number;
  getBody: () => string | undefined;
}

interface Sample {
  /** Milliseconds. */
  at: number;
  bytes: number;
}

// Long enough that a slow chunk does not shake the figure, short enough that it follows the line.
const windowMs = 8000;
const shortestMs = 500;

/** How fast bytes go, over the last seconds. `add` and `rate` take the time, so that nothing here reads a clock. */
export class TransferRate {
  #samples: Sample[] = [];

  /** @param bytes gone so far */
  add(at: number, bytes: number): void {
    // Bytes that are sent again, after a line was cut, were not gone.
    if (bytes < (this.#samples.at(-1)?.bytes ?? 0)) this.#samples = [];
    this.#samples.push({ at, bytes });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= windowMs) this.#samples.shift();
  }

  /** Forgets what was before a pause. */
  reset(): void {
    this.#samples = [];
  }

  /** Bytes a second; `null` while too little is known. */
  rate(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < shortestMs) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

/** 'a few seconds left', '40 s left', '3 min left', '1 h 5 min left'; `null` where no rate is known. */
export function timeLeftText(remainingBytes: number, rate: number | null): string | null {
  if (rate === null || rate <= 0) return null;
  const seconds = remainingBytes / rate;
  if (seconds < 60) return seconds < 10 ? 'a few seconds left' : `${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  if (minutes >= 48 * 60) return `${Math.round(minutes / (24 * 60))} days left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
