import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum rest after a piece of work, in milliseconds. */
const longestRest = 200;

/**
 * Runs the pieces of concurrent long work one at a time, in request order, with a rest as long as each piece took, so
 * that they take at most half a core from short calls.
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
