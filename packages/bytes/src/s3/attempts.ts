import { setTimeout as pause } from 'node:timers/promises';
import { ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';

/** Errors of the way to a server, by their codes in Node. */
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

/** Fewer bytes came than the answer had announced. */
export class BodyCutShort extends Error {
  override readonly name = 'BodyCutShort';
}

/** The object store said nothing, or went on too slowly. */
class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`it did not answer within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** Whether the same request may well succeed in a moment. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreTimeout || error instanceof BodyCutShort) return true;
  const { code } = error as NodeJS.ErrnoException;
  if ((code !== undefined && transientCodes.has(code)) || transientNames.has(error.name)) return true;
  // An answer that is not S3's, as a proxy gives while the server behind it is away, has a status too; one of success
  // that is an error broke off.
  const status = statusOf(error);
  return (
    status !== undefined && (status >= 500 ? status !== 501 : status < 300 || transientStatus.has(status))
  );
}

/**
 * Whether a store over the network failed in a way that passes: no answer, one of a server in trouble, or one that broke
 * off. Not where it refused: keys and rights have to be put right by somebody.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof ObjectStoreFailed || error instanceof StoreWriteFailed)) return false;
  return isTransient(error.cause) || isStoreUnavailable(error.cause);
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** There is no such object; a missing bucket is another matter, and so is a page that a proxy gives. */
export function isAbsent(error: unknown): boolean {
  const isOfS3 = error instanceof Error && '$fault' in error;
  return isOfS3 && statusOf(error) === 404 && error.name !== 'NoSuchBucket';
}

/** The condition of a write did not hold, or another write of the same key came in between. */
export function isRefusedCondition(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 409 && (error as Error).name === 'ConditionalRequestConflict');
}

/** A server that does not know conditions on writes, or how to list uploads. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || (error as Error | undefined)?.name === 'NotImplemented';
}

/** The upload was completed, or given up. */
export function isUnknownUpload(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'NoSuchUpload';
}

/** How long an object store over the network may take, and how often it is asked again. */
export interface RetryPolicy {
  /** Asked at most so often, the first time included. */
  readonly attempts: number;
  /** Before the second attempt, in milliseconds; doubled for each further one, and a random half of it left out. */
  readonly firstPause: number;
  readonly maxPause: number;
  /** Milliseconds until a connection stands, and in which something must be heard. */
  readonly connect: number;
  readonly answer: number;
  /** Slower than that over a whole body counts as hanging. */
  readonly bytesPerSecond: number;
}

/** Somebody waits for a picture: half a minute of silence in all, then a clear error. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 4,
  firstPause: 100,
  maxPause: 2000,
  connect: 5000,
  answer: 8000,
  bytesPerSecond: 50_000,
};

/** Milliseconds that a request with a body of `bytes` may take. */
export function timeFor(policy: RetryPolicy, bytes: number): number {
  return policy.answer + (bytes * 1000) / policy.bytesPerSecond;
}

/** Milliseconds before attempt `next` (the second is 2). */
function pauseBefore(policy: RetryPolicy, next: number, random: number): number {
  const whole = Math.min(policy.maxPause, policy.firstPause * 2 ** (next - 2));
  return whole * (0.5 + random / 2);
}

export interface Attempting {
  /** Key that errors name. */
  readonly key: string;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` until it succeeds, fails for good or has failed often enough. What an answer says of the object
 * (absent, changed, a range outside it) is not a failure of the store: `answer` turns it into the error to throw.
 * Throws ObjectStoreFailed, the reason of the signal, and what `answer` gives.
 */
export async function withAttempts<T>(
  { key, policy, signal }: Attempting,
  work: () => Promise<T>,
  answer: (error: unknown) => Error | undefined = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const said = answer(error);
      if (said) throw said;
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
  readonly signal: AbortSignal;
  /** Gives it `milliseconds` from now. */
  extend(milliseconds: number): void;
  /** Releases the timer and the outer signal. */
  end(): void;
}

/** A signal that follows another one and, with StoreTimeout as its reason, the clock. */
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
