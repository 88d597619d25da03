import { setTimeout as pause } from 'node:timers/promises';
import { ObjectStoreFailed } from '../errors.ts';
import { isPassing, StoreTimeout } from './s3-faults.ts';

/** How long an object store over the network may take, and how often it is asked again. */
export interface Patience {
  /** Asked at most so often, the first time included. */
  readonly attempts: number;
  /** Before the second attempt, in milliseconds; doubled for each further one, and a random half of it left out. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Milliseconds until a connection stands, and in which something must be heard. */
  readonly connect: number;
  readonly answer: number;
  /** Slower than that over a whole body counts as hanging. */
  readonly bytesPerSecond: number;
}

/** Somebody waits for a picture: half a minute of silence in all, then a clear error. */
export const defaultPatience: Patience = {
  attempts: 4,
  firstPause: 100,
  longestPause: 2000,
  connect: 5000,
  answer: 8000,
  bytesPerSecond: 50_000,
};

/** Milliseconds that a request with a body of `bytes` may take. */
export function timeFor(patience: Patience, bytes: number): number {
  return patience.answer + (bytes * 1000) / patience.bytesPerSecond;
}

/** Milliseconds before attempt `next` (the second is 2). */
export function pauseBefore(patience: Patience, next: number, random: number): number {
  const whole = Math.min(patience.longestPause, patience.firstPause * 2 ** (next - 2));
  return whole * (0.5 + random / 2);
}

export interface Attempting {
  /** Key that errors name. */
  readonly key: string;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` until it succeeds, fails for good or has failed often enough. What an answer says of the object
 * (absent, changed, a range outside it) is not a failure of the store: `answer` turns it into the error to throw.
 * Throws ObjectStoreFailed, the reason of the signal, and what `answer` gives.
 */
export async function withAttempts<T>(
  { key, patience, signal }: Attempting,
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
      if (attempt >= patience.attempts || !isPassing(error)) {
        throw new ObjectStoreFailed(key, attempt, { cause: error });
      }
    }
    await pause(pauseBefore(patience, attempt + 1, Math.random()), undefined, signal ? { signal } : {}).catch(
      () => signal?.throwIfAborted(),
    );
  }
}

export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Gives it `milliseconds` from now. */
  extend(milliseconds: number): void;
  /** To be called in the end: it lets go of the timer and of the signal before it. */
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
