import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum rest after a piece of work, in milliseconds. */
const longestRest = 500;
/** Rest after a piece for which short calls waited, as a multiple of its time. */
const restForOthers = 9;

/**
 * Runs the pieces of concurrent long work one at a time, in request order, with a rest after each: as long as it took,
 * so that all take at most half a core, or nine times as long if short calls waited for it.
 */
export class PacedWork {
  #before: Promise<unknown> = Promise.resolve();
  #othersWaited = false;

  /** Reports that short calls wait for the piece that runs. */
  noteWaiting(): void {
    this.#othersWaited = true;
  }

  run<T>(piece: () => Promise<T>): Promise<T> {
    const turn = this.#before.then(async () => {
      const begun = performance.now();
      this.#othersWaited = false;
      const result = await piece().then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      const factor = this.#othersWaited ? restForOthers : 1;
      return { result, rest: Math.min(factor * (performance.now() - begun), longestRest) };
    });
    this.#before = turn.then(({ rest }) => sleep(rest));
    return turn.then(({ result }) => result());
  }
}
