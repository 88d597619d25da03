import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of rest after a piece of work, at most. */
const longestRest = 200;

/**
 * Work in pieces that many callers do at a time: one piece runs at once, in the order of asking, and as long as it took
 * nothing more of it runs, so that it takes at most half of a core from short calls.
 */
export class PacedWork {
  #before: Promise<unknown> = Promise.resolve();

  run<T>(piece: () => Promise<T>): Promise<T> {
    const turn = this.#before.then(async () => {
      const begun = performance.now();
      const result = await piece().then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      return { result, rest: Math.min(performance.now() - begun, longestRest) };
    });
    this.#before = turn.then(({ rest }) => sleep(rest));
    return turn.then(({ result }) => result());
  }
}
