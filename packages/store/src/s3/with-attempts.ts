import { setTimeout as pause } from 'node:timers/promises';
import { ObjectStoreFailed } from '../errors.ts';
import { type Patience, pauseBefore } from './patience.ts';
import { isPassing } from './s3-faults.ts';

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
