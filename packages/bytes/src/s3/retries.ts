import { setTimeout as pause } from 'node:timers/promises';
import { ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';

export const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const transientCodes = new Set([...connectionCodes, 'ERR_STREAM_PREMATURE_CLOSE']);
const transientStatus = new Set([408, 429]);
const transientNames = new Set([
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
]);

/** The length of a body differs from its declared length. */
export class BodyCutShort extends Error {
  override readonly name = 'BodyCutShort';
}

class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`it did not respond within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreTimeout || error instanceof BodyCutShort) return true;
  const { code } = error as NodeJS.ErrnoException;
  if ((code !== undefined && transientCodes.has(code)) || transientNames.has(error.name)) return true;
  // Also the response of a proxy whose server is down; an error with a successful status is an incomplete response.
  const status = statusOf(error);
  return (
    status !== undefined && (status >= 500 ? status !== 501 : status < 300 || transientStatus.has(status))
  );
}

/**
 * Whether a remote store failed temporarily: no response, a server error or an incomplete response. False for
 * rejected requests, such as wrong credentials, which an operator must correct.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof ObjectStoreFailed || error instanceof StoreWriteFailed)) return false;
  return isTransient(error.cause) || isStoreUnavailable(error.cause);
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** There is no such object, as opposed to a missing bucket or an error page of a proxy. */
export function isAbsent(error: unknown): boolean {
  const isOfS3 = error instanceof Error && '$fault' in error;
  return isOfS3 && statusOf(error) === 404 && error.name !== 'NoSuchBucket';
}

/** The condition of a write failed, or a concurrent write of the same key succeeded. */
export function isRefusedCondition(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 409 && (error as Error).name === 'ConditionalRequestConflict');
}

/** The server does not support conditional writes, or listing uploads. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || (error as Error | undefined)?.name === 'NotImplemented';
}

/** The upload was completed or aborted. */
export function isEndedUpload(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'NoSuchUpload';
}

/** Timeouts and retries of a remote object store. */
export interface RetryPolicy {
  /** Maximum number of attempts, the first included. */
  attempts: number;
  /** Milliseconds before the second attempt; doubled for each further one, then reduced by up to half at random. */
  firstPause: number;
  maxPause: number;
  /** Timeout of connecting, in milliseconds. */
  connect: number;
  /** Timeout of the response, in milliseconds, plus the time for its body at `bytesPerSecond`. */
  answer: number;
  bytesPerSecond: number;
}

/** For interactive use: an unresponsive store is reported after about half a minute. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 4,
  firstPause: 100,
  maxPause: 2000,
  connect: 5000,
  answer: 8000,
  bytesPerSecond: 50_000,
};

export function timeFor(policy: RetryPolicy, bytes: number): number {
  return policy.answer + (bytes * 1000) / policy.bytesPerSecond;
}

function pauseBefore(policy: RetryPolicy, next: number, random: number): number {
  const whole = Math.min(policy.maxPause, policy.firstPause * 2 ** (next - 2));
  return whole * (0.5 + random / 2);
}

export interface RetryOptions {
  key: string;
  policy: RetryPolicy;
  signal: AbortSignal | undefined;
}

/**
 * Runs `work` with retries after transient errors. `answer` maps an error that is a valid response (absent, changed,
 * range outside the object) to the error to throw. Throws ObjectStoreFailed, the reason of the signal, or that error.
 */
export async function withRetries<T>(
  { key, policy, signal }: RetryOptions,
  work: () => Promise<T>,
  answer: (error: unknown) => Error | undefined = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const mapped = answer(error);
      if (mapped) throw mapped;
      if (attempt >= policy.attempts || !isTransient(error)) {
        throw new ObjectStoreFailed(key, attempt, { cause: error });
      }
    }
    await pause(pauseBefore(policy, attempt + 1, Math.random()), undefined, signal ? { signal } : {}).catch(
      () => signal?.throwIfAborted(),
    );
  }
}

export interface LimitedSignal {
  signal: AbortSignal;
  extend(milliseconds: number): void;
  end(): void;
}

/** A signal that aborts with another one, or with StoreTimeout after `milliseconds`. */
export function limitedSignal(outer: AbortSignal | undefined, milliseconds: number): LimitedSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  const start = (time: number) => setTimeout(() => controller.abort(new StoreTimeout(time)), time);
  let timer = start(milliseconds);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    extend: (time) => {
      clearTimeout(timer);
      timer = start(time);
    },
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
