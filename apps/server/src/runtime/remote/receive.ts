import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileSize, roundFileSize } from '@cellfolio/contract';
import { ForbiddenRedirect, openAnswer } from './open-answer.ts';

export interface Received {
  bytes: number;
  /** Length announced by the server; 0 if unknown. */
  total: number;
  /** Identifies the exact content that the bytes belong to; without it an attempt starts from the beginning. */
  validator: string | undefined;
  /** Length of the whole file when only a part is fetched. */
  whole?: number;
  /** Ensures space for `total` before bytes arrive. Throws AttemptFailed. */
  reserve?(): Promise<void>;
  append(piece: Uint8Array): void | Promise<void>;
  forget(): void | Promise<void>;
}

export interface FilePart {
  offset: number;
  length: number;
  /** Validator of the file when its contents were listed; a changed file has other ranges. */
  validator?: string | undefined;
}

export class InMemory implements Received {
  pieces: Uint8Array[] = [];
  bytes = 0;
  total = 0;
  validator: string | undefined;
  whole?: number;

  append(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.bytes += piece.byteLength;
  }

  forget(): void {
    this.pieces = [];
    this.bytes = 0;
    this.total = 0;
    this.validator = undefined;
  }
}

/** Minimum rate: a download that receives fewer bytes within the given milliseconds is aborted. */
export interface MinimumRate {
  bytes: number;
  milliseconds: number;
}

export interface ReceiveOptions {
  /** Only these bytes of the file, as far as it has them. */
  part?: FilePart | undefined;
  /** Expected content, for messages: `library`. */
  noun: string;
  /** Media types to refuse besides web pages. */
  refused?: RegExp;
  /** Maximum silence of the server before an attempt is aborted. */
  timeoutMilliseconds: number;
  /** Applies over all attempts and the pauses between them; default: no minimum. */
  leastRate?: MinimumRate;
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  maxBytes: number;
  /** Message for a larger file, continuing `it is`. */
  tooLarge?: string | undefined;
  /** As for openAnswer. */
  mayBePrivate?: ((address: URL) => boolean) | undefined;
  /** Waits before the second and further attempts; they restart once more data has arrived than before. */
  pauses?: readonly number[] | undefined;
  /** Called before the wait for another attempt, with the reason of the last failure. */
  onPause?: ((pause: { reason: string; seconds: number }) => void) | undefined;
  /** Checks the complete data. Throws AttemptFailed. */
  check?: () => void | Promise<void>;
}

const maxPauseMs = 60_000;

/** All attempts failed; `cause` is the error of the last. */
export class ReceiveFailed extends Error {
  override readonly name = 'ReceiveFailed';
  override readonly cause: AttemptFailed;
  readonly attempts: number;

  constructor(attempts: number, cause: AttemptFailed) {
    super(cause.message, { cause });
    this.cause = cause;
    this.attempts = attempts;
  }
}

/**
 * Receives the content of an address. A broken or silent connection is resumed if the server identifies its content
 * (ETag or Last-Modified), else restarted. Throws ReceiveFailed, or the reason of the signal.
 */
export async function receive(address: URL, received: Received, options: ReceiveOptions): Promise<void> {
  const { pauses = [1000, 4000, 10_000], leastRate } = options;
  const slow = new AbortController();
  const signal = AbortSignal.any([options.signal, slow.signal]);
  let inStretch = 0;
  const look = ({ bytes, milliseconds }: MinimumRate): void => {
    if (inStretch < bytes) slow.abort(tooSlow(inStretch, { bytes, milliseconds }));
    inStretch = 0;
  };
  const timer = leastRate && setInterval(look, leastRate.milliseconds, leastRate);
  const onBytes = (bytes: number) => (inStretch += bytes);
  let maxReceived = received.bytes;
  let tried = 0;
  try {
    for (let attempts = 1; ; attempts++) {
      try {
        await attempt(address, received, { ...options, signal, onBytes });
        await options.check?.();
        return;
      } catch (error) {
        options.signal.throwIfAborted();
        const failure = asFailure(slow.signal.aborted ? slow.signal.reason : error);
        if (received.bytes > maxReceived) tried = 0;
        maxReceived = Math.max(maxReceived, received.bytes);
        const pause = slow.signal.aborted ? undefined : pauses[tried];
        tried += 1;
        if (failure.final || pause === undefined) throw new ReceiveFailed(attempts, failure);
        const milliseconds = Math.min(maxPauseMs, Math.max(pause, failure.retryAfter ?? 0));
        options.onPause?.({ reason: failure.message, seconds: Math.ceil(milliseconds / 1000) });
        await wait(milliseconds, undefined, { signal }).catch(() => options.signal.throwIfAborted());
      }
    }
  } finally {
    clearInterval(timer);
  }
}

function tooSlow(arrived: number, { bytes, milliseconds }: MinimumRate): AttemptFailed {
  return new AttemptFailed(
    `the server sent only ${fileSize(arrived)} in ${milliseconds / 60_000} minutes, and a download needs ${roundFileSize(bytes)} in that time`,
  );
}

async function attempt(
  address: URL,
  received: Received,
  options: ReceiveOptions & { onBytes: (bytes: number) => void },
): Promise<void> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(), options.timeoutMilliseconds);
  const signal = AbortSignal.any([options.signal, quiet.signal]);
  if (options.part && received.validator === undefined) await received.forget();
  try {
    const { answer } = await openAnswer(address, {
      // Encoded content has other lengths and offsets than what it holds.
      headers: {
        ...options.headers,
        'accept-encoding': 'identity',
        ...resumeHeaders(received, options.part),
      },
      signal,
      mayBePrivate: options.mayBePrivate,
    });
    try {
      if (answer.statusCode === 304 && isWhole(received)) return;
      await begin(answer, received, options);
      await received.reserve?.();
      for await (const piece of answer as AsyncIterable<Uint8Array>) {
        timer.refresh();
        options.onBytes(piece.byteLength);
        if (received.bytes + piece.byteLength > options.maxBytes) throw tooLarge(options);
        if (received.total > 0 && received.bytes + piece.byteLength > received.total) {
          await received.forget();
          throw new AttemptFailed('the server sent more than it was asked for', { final: true });
        }
        await received.append(piece);
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
      throw new AttemptFailed(
        `the server did not respond for ${options.timeoutMilliseconds / 1000} seconds`,
        {
          cause: error,
        },
      );
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Requests the missing rest, or for complete data a conditional response. */
function resumeHeaders(received: Received, part: FilePart | undefined): Record<string, string> {
  const { bytes, validator = part?.validator } = received;
  if (part !== undefined && !isWhole(received)) {
    const range = `bytes=${part.offset + bytes}-${part.offset + part.length - 1}`;
    return { range, ...(validator !== undefined && { 'if-range': validator }) };
  }
  if (bytes === 0 || !validator) return {};
  if (!isWhole(received)) return { range: `bytes=${bytes}-`, 'if-range': validator };
  return validator.startsWith('"') ? { 'if-none-match': validator } : { 'if-modified-since': validator };
}

function isWhole({ bytes, total }: Received): boolean {
  return total > 0 && bytes === total;
}

/** Reads status and headers; discards the received data when this response starts from the beginning. */
async function begin(answer: IncomingMessage, received: Received, options: ReceiveOptions): Promise<void> {
  const { statusCode: status = 0, headers } = answer;
  const { part } = options;
  if (status === 206) {
    const [, start, whole] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    const offset = part?.offset ?? 0;
    const total = Math.min(part?.length ?? Infinity, Number(whole) - offset);
    // Not every server minds what it was asked for the rest of.
    if (isOfAnother(headers, received.validator ?? part?.validator)) {
      await received.forget();
      throw new AttemptFailed('the file has changed meanwhile', { final: part !== undefined });
    }
    if (Number(start) === offset + received.bytes && (received.total === 0 || total === received.total)) {
      received.total = total;
      received.whole = Number(whole);
      if (part) received.validator = part.validator ?? validatorOf(headers);
      if (total > options.maxBytes) throw tooLarge(options);
      return;
    }
    await received.forget();
    throw new AttemptFailed('the server resumed at another position than requested');
  }
  if (status === 416) {
    await received.forget();
    throw new AttemptFailed('the server cannot resume what it sent before');
  }
  if (status !== 200) {
    throw new AttemptFailed(`the server answered ${status}`, {
      final: ![408, 425, 429].includes(status) && status < 500,
      retryAfter: retryAfterOf(headers['retry-after']),
    });
  }
  const type = headers['content-type'] ?? '';
  if (/\bhtml\b/i.test(type) || options.refused?.test(type) === true) {
    const { noun } = options;
    const expected = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
    throw new AttemptFailed(`the server answered with ${type.split(';')[0]}, not with ${expected}`, {
      final: true,
    });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AttemptFailed(`the server answered in the encoding ${encoding}, which was not requested`, {
      final: true,
    });
  }
  if (part !== undefined) {
    throw new AttemptFailed(
      'the server sent the whole file instead of a part of it: it has changed meanwhile, or the server sends no parts',
      { final: true },
    );
  }
  // The whole content, from its beginning.
  await received.forget();
  received.total = Number(headers['content-length'] ?? 0);
  if (received.total > options.maxBytes) throw tooLarge(options);
  received.validator = validatorOf(headers);
}

/**
 * Whether a partial response belongs to other content. It has the ETag of the whole, and may lack the modification time
 * (RFC 9110, 15.3.7).
 */
function isOfAnother({ etag, 'last-modified': modified }: IncomingHttpHeaders, validator?: string): boolean {
  if (validator === undefined) return false;
  return validator.startsWith('"') ? etag !== validator : modified !== undefined && modified !== validator;
}

/** A strong validator, which identifies the exact bytes (RFC 9110, 8.8.1 and 8.8.2.2). */
function validatorOf({ etag, 'last-modified': modified, date }: IncomingHttpHeaders): string | undefined {
  if (etag) return etag.startsWith('W/') ? undefined : etag;
  // A time of change names one content only once it is old enough for no second change to bear it.
  return modified && date && Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined;
}

/** Parses Retry-After, seconds or a date (RFC 9110, 10.2.3), to milliseconds. */
function retryAfterOf(header = ''): number | undefined {
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function tooLarge({ maxBytes, noun, tooLarge: description }: ReceiveOptions): AttemptFailed {
  return new AttemptFailed(
    description === undefined
      ? `the answer is larger than ${maxBytes} bytes, which no ${noun} is`
      : `it is ${description}`,
    { final: true },
  );
}

/** An attempt that failed; `final` if a retry cannot succeed. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly final: boolean;
  /** Delay requested by the server, in milliseconds. */
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

export function asFailure(error: unknown): AttemptFailed {
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
      return 'the name of the server cannot be resolved';
    case 'ECONNREFUSED':
      return 'no server answers at this address';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was lost';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return 'the server cannot be reached';
  }
  return message || code || 'the connection failed';
}
