import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LibraryNotFetched } from './errors.ts';
import { openAnswer, ForbiddenRedirect } from './library-answer.ts';

interface FetchProgress {
  readonly done: number;
  /** 0 where the server does not say. */
  readonly total: number;
}

export interface FetchLibraryOptions {
  /** How long the server may say nothing before an attempt is given up. */
  readonly timeoutMilliseconds: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Default 64 MiB, some ten times the largest library of its publisher. */
  readonly maxBytes?: number;
  /** Waits before the second and further attempts. */
  readonly pauses?: readonly number[];
}

const maxPauseMs = 60_000;

/** What has arrived so far, over all attempts. */
interface Received {
  pieces: Uint8Array[];
  bytes: number;
  total: number;
  /** Names exactly the content that the bytes belong to; without it an attempt starts from the beginning. */
  validator: string | undefined;
}

/**
 * The bytes of a library in the publisher's text form. A broken connection is taken up where it broke where the
 * server can name its content (ETag or Last-Modified), else from the start. What is returned is whole: of the
 * announced length, ended by a line break, and no error page. It is kept in memory, because it must be read as
 * a whole before any of it is believed, and so nothing is left behind. Throws LibraryNotFetched, or the reason
 * of the signal.
 */
export async function fetchLibrary(
  library: string,
  base: string,
  options: FetchLibraryOptions,
): Promise<Uint8Array> {
  const address = libraryAddress(base, library);
  const pauses = options.pauses ?? [1000, 4000, 10_000];
  const received: Received = { pieces: [], bytes: 0, total: 0, validator: undefined };
  for (let attempt = 1; ; attempt++) {
    try {
      await receive(new URL(address), received, options);
      return wholeLibrary(received);
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = asFailure(error);
      const pause = pauses[attempt - 1];
      if (failure.final || pause === undefined) {
        throw new LibraryNotFetched(library, {
          address: shownAddress(address),
          attempts: attempt,
          cause: failure,
        });
      }
      await wait(Math.min(maxPauseMs, Math.max(pause, failure.retryAfter ?? 0)), undefined, {
        signal: options.signal,
      }).catch(() => options.signal.throwIfAborted());
    }
  }
}

/** Address of one library in text form. */
export function libraryAddress(base: string, library: string): string {
  return `${base}/geneSetLibrary?mode=text&libraryName=${encodeURIComponent(library)}`;
}

/** An address as it is shown and kept: without the user name and password that a mirror may want. */
export function shownAddress(address: string): string {
  const shown = new URL(address);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

async function receive(address: URL, received: Received, options: FetchLibraryOptions): Promise<void> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(), options.timeoutMilliseconds);
  const signal = AbortSignal.any([options.signal, quiet.signal]);
  try {
    const { answer } = await openAnswer(address, {
      // Encoded content has other lengths and offsets than what it holds.
      headers: { 'accept-encoding': 'identity', accept: 'text/plain', ...resumeHeaders(received) },
      signal,
    });
    try {
      begin(answer, received, options.maxBytes ?? 64 * 1024 * 1024);
      for await (const piece of answer as AsyncIterable<Uint8Array>) {
        timer.refresh();
        append(piece, received, options.maxBytes ?? 64 * 1024 * 1024);
        options.onProgress?.({ done: received.bytes, total: received.total });
      }
      signal.throwIfAborted();
    } finally {
      answer.destroy();
    }
    if (received.total > 0 && received.bytes !== received.total) {
      throw new AttemptFailed(`the connection ended after ${received.bytes} of ${received.total} bytes`);
    }
  } catch (error) {
    if (quiet.signal.aborted && !options.signal.aborted) {
      throw new AttemptFailed(`the server said nothing for ${options.timeoutMilliseconds / 1000} seconds`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function resumeHeaders({ bytes, validator }: Received): Record<string, string> {
  return bytes > 0 && validator ? { range: `bytes=${bytes}-`, 'if-range': validator } : {};
}

/** Reads status and headers; forgets what was received where this answer starts anew. */
function begin(answer: IncomingMessage, received: Received, maxBytes: number): void {
  const { statusCode: status = 0, headers } = answer;
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    if (Number(start) === received.bytes && (received.total === 0 || Number(total) === received.total)) {
      received.total = Number(total);
      return;
    }
    forget(received);
    throw new AttemptFailed('the server went on from another place than it was asked to');
  }
  // Whatever else the answer is, it does not go on where the last one ended.
  forget(received);
  if (status === 416) throw new AttemptFailed('the server does not know the rest of what it sent before');
  if (status !== 200) {
    throw new AttemptFailed(`the server answered ${status}`, {
      final: ![408, 425, 429].includes(status) && status < 500,
      retryAfter: retryAfterOf(headers['retry-after']),
    });
  }
  const type = headers['content-type'] ?? '';
  if (/\b(?:html|json|xml)\b/i.test(type)) {
    throw new AttemptFailed(`the server answered with ${type.split(';')[0]}, not with a library`, {
      final: true,
    });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AttemptFailed(`the server answered in the encoding ${encoding}, which was not asked for`, {
      final: true,
    });
  }
  received.total = Number(headers['content-length'] ?? 0);
  if (received.total > maxBytes) throw tooLarge(maxBytes);
  received.validator = validatorOf(headers);
}

/** What names this very content, byte for byte (RFC 9110, 8.8.1 and 8.8.2.2). */
function validatorOf({ etag, 'last-modified': modified, date }: IncomingHttpHeaders): string | undefined {
  if (etag) return etag.startsWith('W/') ? undefined : etag;
  // A time of change names one content only once it is old enough for no second change to bear it.
  return modified && date && Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined;
}

function append(piece: Uint8Array, received: Received, maxBytes: number): void {
  if (received.bytes + piece.byteLength > maxBytes) throw tooLarge(maxBytes);
  received.pieces.push(piece);
  received.bytes += piece.byteLength;
}

function forget(received: Received): void {
  received.pieces = [];
  received.bytes = 0;
  received.total = 0;
  received.validator = undefined;
}

/** Refuses what is no whole library, as far as the answer itself tells; the sets are read later. */
function wholeLibrary(received: Received): Uint8Array {
  const bytes = Buffer.concat(received.pieces);
  const text = bytes.toString('utf8');
  if (text.trim() === '') {
    forget(received);
    throw new AttemptFailed('the answer is empty');
  }
  if (/^[\s\uFEFF]*</.test(text)) {
    throw new AttemptFailed('the answer is a web page, not a library', { final: true });
  }
  if (/^\s*[[{]/.test(text) && !text.includes('\t')) {
    throw new AttemptFailed('the answer is an error message, not a library', { final: true });
  }
  if (!text.endsWith('\n')) {
    // The publisher ends every line; without that the last set may lack genes and nobody would notice.
    forget(received);
    throw new AttemptFailed('the answer breaks off within a line');
  }
  return bytes;
}

function retryAfterOf(header: string | undefined): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function tooLarge(maxBytes: number): AttemptFailed {
  return new AttemptFailed(`the answer is larger than ${maxBytes} bytes, which no library is`, {
    final: true,
  });
}

/** An attempt that failed; `final` where another could not do better. */
class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly final: boolean;
  /** What the server asked for, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    options: { final?: boolean; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.final = options.final ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** Any error of an attempt, in plain words. */
function asFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof ForbiddenRedirect)
    return new AttemptFailed(error.message, { final: true, cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  return new AttemptFailed(plainWords(code, message), {
    // A certificate does not mend itself within seconds.
    final: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? ''),
    cause: error,
  });
}

function plainWords(code: string | undefined, message: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of the server cannot be resolved; is there a network?';
    case 'ECONNREFUSED':
      return 'nobody answers at this address';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return 'the server cannot be reached';
  }
  return message || code || 'the connection failed';
}
