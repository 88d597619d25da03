import { type ProgressEvent, apiError, apiHeaders, progressEvent } from '@cellfolio/contract';
import { ApiContractBroken, ApiRefusal, ApiUnreachable } from './api-errors.ts';
import { eventDataReader } from './event-stream.ts';
import { randomId } from './session-id.ts';

interface Schema<T> {
  parse(value: unknown): T;
}

export const anyFile: Schema<Blob> = {
  parse(value) {
    if (!(value instanceof Blob) || value.size === 0) throw new TypeError('A file was expected.');
    return value;
  },
};

interface ApiCall<T> {
  /** Begins with `/api`; names in it are percent-encoded. */
  path: string;
  answer: Schema<T>;
  /** `file` passes the response to the schema as a Blob, `pieces` its headers; default: JSON. */
  expects?: 'json' | 'file' | 'pieces';
  /** With `pieces`: called with each piece of the response; those before a failure are there all the same. */
  onPiece?: ((piece: Uint8Array<ArrayBuffer>, headers: Headers) => void) | undefined;
  onBytes?: ((received: number) => void) | undefined;
  /** Called with progress events; opens a progress stream for the call. */
  onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Sent as JSON, a Blob as it is, by POST; without it the call is a GET. */
  body?: unknown;
  method?: 'PUT' | 'PATCH' | 'DELETE';
  signal?: AbortSignal | undefined;
}

export type ApiClient = <T>(call: ApiCall<T>) => Promise<T>;

interface ApiClientOptions {
  analysisUrl: string;
  apiKey: string;
  accessToken: () => Promise<string | null>;
  sessionId: () => Promise<string>;
  /** Makes the calls those of a visitor without an account, who may read this dataset. */
  demoDataset?: string | undefined;
  /** The server refused the access token: the session may have ended. */
  onTokenRefused?: () => void;
  fetch?: typeof fetch;
}

/**
 * Creates a client whose calls throw {@link ApiRefusal}, {@link ApiUnreachable}, {@link ApiContractBroken}, or the
 * `AbortError` of their signal.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  return async ({ path, answer, body, method, signal, expects = 'json', onProgress, onBytes, onPiece }) => {
    const [token, session] = await Promise.all([options.accessToken(), options.sessionId()]);
    signal?.throwIfAborted();
    const requestId = randomId();
    const headers = new Headers({
      accept: expects === 'json' ? 'application/json' : '*/*',
      [apiHeaders.apiKey]: options.apiKey,
      [apiHeaders.session]: session,
      [apiHeaders.request]: requestId,
    });
    if (options.demoDataset !== undefined) headers.set(apiHeaders.demo, options.demoDataset);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const watch =
      onProgress === undefined
        ? null
        : await watchProgress({
            address: `${options.analysisUrl}/api/progress/${requestId}`,
            headers: new Headers(headers),
            fetch: send,
            onEvent: onProgress,
          });
    const isFile = body instanceof Blob;
    if (body !== undefined) headers.set('content-type', isFile ? body.type : 'application/json');

    let content: Blob | Headers | string;
    let response: Response;
    try {
      signal?.throwIfAborted();
      response = await send(`${options.analysisUrl}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        body: body === undefined ? null : isFile ? body : JSON.stringify(body),
        signal: signal ?? null,
      });
      if (!response.ok || expects === 'json') content = await response.text();
      else if (expects === 'file') content = await fileOf(response, onBytes);
      else content = await readPieces(response, onPiece);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ApiUnreachable(cause);
    } finally {
      watch?.stop();
    }
    if (response.status === 401 && token !== null) options.onTokenRefused?.();
    if (!response.ok) throw refusal(response.status, String(content));
    try {
      return answer.parse(typeof content === 'string' ? JSON.parse(content) : content);
    } catch (cause) {
      throw new ApiContractBroken(path, cause);
    }
  };
}

async function readPieces(response: Response, onPiece: ApiCall<unknown>['onPiece']): Promise<Headers> {
  const reader = response.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return response.headers;
    if (value) onPiece?.(value, response.headers);
  }
}

/** Without `onBytes` the browser builds the Blob, and keeps a large one on disk instead of in memory. */
function fileOf(response: Response, onBytes: ApiCall<unknown>['onBytes']): Promise<Blob> {
  if (onBytes === undefined || response.body === null) return response.blob();
  let received = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, to) => {
        received += piece.length;
        onBytes(received);
        to.enqueue(piece);
      },
    }),
  );
  return new Response(counted, { headers: response.headers }).blob();
}

function refusal(status: number, text: string): ApiRefusal {
  try {
    const { code, message, details } = apiError.parse(JSON.parse(text));
    return new ApiRefusal(status, code, message, details);
  } catch {
    // A proxy may respond with a body of its own.
    return new ApiRefusal(status, '', text.trim().slice(0, 300));
  }
}

interface WatchOptions {
  address: string;
  headers: Headers;
  fetch: typeof fetch;
  onEvent: (event: ProgressEvent) => void;
  /** Milliseconds to wait for the stream to open; after that the call is made without progress. */
  openTimeout?: number;
}

/**
 * Watches the progress of a call until stopped. Resolves when the stream is open, so that no early event is missed.
 * A failed stream stops the progress bar, never the call.
 */
async function watchProgress({
  address,
  headers,
  fetch: send,
  onEvent,
  openTimeout = 2000,
}: WatchOptions): Promise<{ stop: () => void }> {
  const controller = new AbortController();
  const watch = { stop: () => controller.abort() };
  headers.set('accept', 'text/event-stream');
  const open = async () => {
    const response = await send(address, { headers, signal: controller.signal });
    if (!response.ok || response.body === null) return;
    void readEvents(response.body, onEvent, controller.signal).catch(() => {});
  };
  const opened = open().catch(() => {});
  await Promise.race([opened, new Promise((done) => setTimeout(done, openTimeout))]);
  return watch;
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ProgressEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const read = eventDataReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    for (const data of read(value)) {
      const progress = readProgress(data);
      if (progress !== null) onEvent(progress);
    }
  }
}

function readProgress(data: string): ProgressEvent | null {
  try {
    return progressEvent.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
