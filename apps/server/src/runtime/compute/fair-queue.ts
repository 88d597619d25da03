/** A piece of work that wants a thread. */
export interface Turn {
  /**
   * Whose work it is, asked whenever a thread is free: callers may come to share it while it waits. None for work of the
   * process itself, which goes first.
   */
  readonly users: () => readonly string[];
  /** It may keep its thread for longer than others should wait. */
  readonly isLong: boolean;
}

interface Running {
  /** Those it was begun for, who share its time. */
  readonly users: readonly string[];
  readonly since: number;
}

/** Half of what a user has computed is forgotten after this long. */
const halfLifeMilliseconds = 10_000;
/** Below this nothing is left of it, and the user counts as one who has not been here. */
const minMilliseconds = 1;

/**
 * Which work begins next on a number of threads: that of the user who has computed least lately, and of the same user
 * what is short before what is long. One thread is kept for others: long work never has all of them, and neither has
 * one user as long as others were here within the last minute or two.
 */
export class FairQueue<T extends Turn> {
  readonly #threads: number;
  readonly #now: () => number;
  /** In the order they came. */
  readonly #waiting = new Set<T>();
  readonly #running = new Map<T, Running>();
  /** What users have computed, in milliseconds, as it was at a moment. */
  readonly #used = new Map<string, { readonly milliseconds: number; readonly at: number }>();

  /** @param now milliseconds */
  constructor(threads: number, now: () => number = () => performance.now()) {
    this.#threads = threads;
    this.#now = now;
  }

  /** Turns that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  add(turn: T): void {
    this.#waiting.add(turn);
  }

  /** False where it does not wait any more. */
  remove(turn: T): boolean {
    return this.#waiting.delete(turn);
  }

  /** Begins the next; undefined where none waits, or none may have a thread now. */
  begin(): T | undefined {
    if (this.#running.size >= this.#threads || this.#waiting.size === 0) return undefined;
    const now = this.#now();
    const used = this.#usedUntil(now);
    const waiting = Array.from(this.#waiting, (turn) => ({ turn, users: turn.users() }));
    const here = new Set([...used.keys(), ...waiting.flatMap(({ users }) => users)]);
    let next: (typeof waiting)[number] | undefined;
    let least = Infinity;
    for (const one of waiting) {
      // Of several who share it, the one who has computed least.
      const ofOne = one.users.length === 0 ? -1 : Math.min(...one.users.map((user) => used.get(user) ?? 0));
      const isBefore = ofOne < least || (ofOne === least && next?.turn.isLong === true && !one.turn.isLong);
      if (isBefore && this.#mayRun(one.turn, one.users, here)) [next, least] = [one, ofOne];
    }
    if (!next) return undefined;
    this.#waiting.delete(next.turn);
    this.#running.set(next.turn, { users: next.users, since: now });
    return next.turn;
  }

  end(turn: T): void {
    const ended = this.#running.get(turn);
    if (!ended) return;
    this.#running.delete(turn);
    const now = this.#now();
    for (const user of ended.users) {
      const milliseconds = this.#left(user, now) + (now - ended.since) / ended.users.length;
      this.#used.set(user, { milliseconds, at: now });
    }
    for (const user of this.#used.keys()) if (this.#left(user, now) === 0) this.#used.delete(user);
  }

  #mayRun({ isLong }: T, users: readonly string[], here: ReadonlySet<string>): boolean {
    if (this.#threads === 1 || users.length === 0) return true;
    const maxThreads = this.#threads - 1;
    const running = [...this.#running];
    if (isLong && running.filter(([turn]) => turn.isLong).length >= maxThreads) return false;
    if (here.size === 1) return true;
    return users.some(
      (user) => running.filter(([, those]) => those.users.includes(user)).length < maxThreads,
    );
  }

  /** What each user has computed by now, with what is still running. */
  #usedUntil(now: number): Map<string, number> {
    const used = new Map<string, number>();
    for (const user of this.#used.keys()) {
      const left = this.#left(user, now);
      if (left > 0) used.set(user, left);
    }
    for (const { users, since } of this.#running.values()) {
      for (const user of users) used.set(user, (used.get(user) ?? 0) + (now - since) / users.length);
    }
    return used;
  }

  /** What is not forgotten yet of what a user's ended turns took. */
  #left(user: string, now: number): number {
    const used = this.#used.get(user);
    if (!used) return 0;
    const left = used.milliseconds * 0.5 ** ((now - used.at) / halfLifeMilliseconds);
    return left < minMilliseconds ? 0 : left;
  }
}
