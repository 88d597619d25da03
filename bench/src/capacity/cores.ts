import type { Timers } from './timers.ts';

interface Running {
  remaining: number;
  readonly done: () => void;
}

/** Less than the clock of the simulation can tell apart after minutes. */
const almostNothing = 1e-6;

/** The cores of a machine, shared evenly by all that runs, none of which can take more than one. */
export class Cores {
  readonly count: number;
  /** Milliseconds of work done. */
  worked = 0;
  readonly #timers: Timers;
  readonly #running = new Set<Running>();
  #since = 0;
  /** A timer that was set before something changed is not the next end any more. */
  #plan = 0;

  constructor(count: number, timers: Timers) {
    this.count = count;
    this.#timers = timers;
  }

  run(milliseconds: number, done: () => void): void {
    this.#advance();
    this.#running.add({ remaining: milliseconds, done });
    this.#planEnd();
  }

  #speed(): number {
    return Math.min(1, this.count / this.#running.size);
  }

  #advance(): void {
    const passed = (this.#timers.now - this.#since) * this.#speed();
    this.#since = this.#timers.now;
    if (this.#running.size === 0) return;
    for (const one of this.#running) one.remaining -= passed;
    this.worked += passed * this.#running.size;
  }

  #planEnd(): void {
    this.#plan += 1;
    if (this.#running.size === 0) return;
    let least = Number.POSITIVE_INFINITY;
    for (const { remaining } of this.#running) if (remaining < least) least = remaining;
    const plan = this.#plan;
    this.#timers.at(this.#timers.now + Math.max(0, least) / this.#speed(), () => {
      if (plan === this.#plan) this.#end();
    });
  }

  #end(): void {
    this.#advance();
    const ended = [...this.#running].filter(({ remaining }) => remaining <= almostNothing);
    for (const one of ended) this.#running.delete(one);
    for (const { done } of ended) done();
    this.#planEnd();
  }
}
