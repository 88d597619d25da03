import type { HttpRequest } from 'tus-js-client';
import type { Services } from '@/lib/services.ts';
import { userFilesBucket } from '../user-files.ts';

export class TransferFailed extends Error {
  override readonly name = 'TransferFailed';
  /** HTTP status; `null` without a response. */
  readonly status: number | null;
  readonly answer: string;

  constructor(status: number | null, answer: string, options?: ErrorOptions) {
    super(status === null ? 'The server did not answer.' : `The server answered ${status}.`, options);
    this.status = status;
    this.answer = answer;
  }

  /**
   * The session has ended, or a clock is wrong. The storage service responds with 403, as it also does for a plan
   * without uploads.
   */
  get isTokenRefused(): boolean {
    return this.status === 401 || (this.status === 403 && /^invalid JWT/i.test(this.answer));
  }

  /** The connection or the server was unavailable; a retry may help. */
  get isInterruption(): boolean {
    return this.status === null || [423, 502, 503, 504].includes(this.status);
  }
}

export interface TransferOptions {
  file: Blob;
  path: string;
  contentType: string;
  url: string | null;
  onUrl: (url: string) => void;
  /** Bytes sent so far, acknowledged or not. */
  onProgress: (sent: number) => void;
  onArrived: () => void;
  onDone: () => void;
  onFailed: (failure: TransferFailed) => void;
}

export interface Transfer {
  start: () => void;
  /** Pauses; the received bytes are kept. */
  stop: () => Promise<void>;
}

export interface TransferService {
  open: (options: TransferOptions) => Promise<Transfer>;
  giveUp: (url: string) => Promise<void>;
}

// Hosted projects take chunks of this size only.
const chunkSize = 6 * 1024 * 1024;

/** Sends files in chunks by the tus protocol: received bytes survive a lost connection or a closed page. */
export function tusTransfers({ config, auth }: Pick<Services, 'config' | 'auth'>): TransferService {
  const endpoint = `${config.supabaseUrl}/storage/v1/upload/resumable`;
  /** Uses the current session: an upload outlives an access token. */
  const authorise = async (request: HttpRequest) => {
    const token = (await auth.getSession()).data.session?.access_token ?? config.publishableKey;
    request.setHeader('apikey', config.publishableKey);
    request.setHeader('authorization', `Bearer ${token}`);
  };
  const shared = {
    chunkSize,
    // The queue handles lost connections; this detects a dead connection without an error.
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
        // The session must not be sent to a stored URL of another server.
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

// Long enough to smooth slow chunks, short enough to follow changes of the connection.
const windowMs = 8000;
const shortestMs = 500;

/** Transfer rate over the last seconds. `add` and `rate` take the time, so that nothing here reads a clock. */
export class TransferRate {
  #samples: Sample[] = [];

  add(at: number, bytes: number): void {
    // Bytes that are sent again after an interruption do not count.
    if (bytes < (this.#samples.at(-1)?.bytes ?? 0)) this.#samples = [];
    this.#samples.push({ at, bytes });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= windowMs) this.#samples.shift();
  }

  reset(): void {
    this.#samples = [];
  }

  /** Bytes per second; `null` with too few samples. */
  rate(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < shortestMs) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

/** 'a few seconds left', '40 s left', '3 min left', '1 h 5 min left'; `null` if the rate is unknown. */
export function timeLeftText(remainingBytes: number, rate: number | null): string | null {
  if (rate === null || rate <= 0) return null;
  const seconds = remainingBytes / rate;
  if (seconds < 60) return seconds < 10 ? 'a few seconds left' : `${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  if (minutes >= 48 * 60) return `${Math.round(minutes / (24 * 60))} days left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
