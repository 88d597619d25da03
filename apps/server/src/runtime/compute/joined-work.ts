import { SharedWork } from '@cellfolio/store';
import type { ProgressEvent } from '../progress/progress-relay.ts';
import type { TaskCaller } from './compute-pool.ts';

/** Who waits for a piece of work. */
export interface Waiting extends TaskCaller {
  readonly onProgress: (event: ProgressEvent) => void;
}

/**
 * Identical work of several callers, done once in the name of all who wait for it at the time: whoever joins what
 * another has asked for waits no longer than for work of their own, and hears of its progress.
 */
export class JoinedWork<T> {
  readonly #work = new SharedWork<string, T>();
  readonly #callers = new Map<string, Set<Waiting>>();

  /** As `SharedWork.run`. */
  async run(key: string, waiting: Waiting, work: (joined: Waiting) => Promise<T>): Promise<T> {
    const callers = this.#callers.get(key) ?? new Set();
    this.#callers.set(key, callers);
    // A call may ask twice for the same.
    const caller = { ...waiting };
    callers.add(caller);
    try {
      return await this.#work.run(key, waiting.signal, (signal) =>
        work({
          signal,
          users: () => [...new Set([...callers].flatMap(({ users }) => users()))],
          onProgress: (event) => callers.forEach(({ onProgress }) => onProgress(event)),
        }),
      );
    } finally {
      callers.delete(caller);
      if (callers.size === 0 && this.#callers.get(key) === callers) this.#callers.delete(key);
    }
  }
}
