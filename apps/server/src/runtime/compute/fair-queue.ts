export interface Turn {
  /**
   * The users it runs for; read whenever a thread is free, as users may join while it waits. Empty for the server's own
   * tasks, which run first.
   */
  users: () => readonly string[];
  /** It may occupy its thread for longer than other users should wait. */
  isLong: boolean;
}

interface Running {
  /** Its time is divided equally among them. */
  users: readonly string[];
  since: number;
}

const halfLifeMilliseconds = 10_000;
/** Shorter use counts as none. */
const minMilliseconds = 1;

/**
 * Schedules tasks on threads: the user with the least recent compute time first, a user's short tasks before long ones.
 * Long tasks never occupy all threads, nor does one user while others were active within the last two minutes.
 */
export class FairQueue<T extends Turn> {
  readonly #threads: number;
  readonly #now: () => number;
  /** In order of arrival. */
  readonly #waiting = new Set<T>();
  readonly #running = new Map<T, Running>();
  /** Decaying compute time of each user, as of `at`. */
  readonly #used = new Map<string, { milliseconds: number; at: number }>();

  /** `now` returns milliseconds. */
  constructor(threads: number, now: () => number = () => performance.now()) {
    this.#threads = threads;
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(turn: T): void {
    this.#waiting.add(turn);
  }

  /** False when it is no longer waiting. */
  remove(turn: T): boolean {
    return this.#waiting.delete(turn);
  }

  /** Starts the next task; undefined when none waits or none may have a thread now. */
  begin(): T | undefined {
    if (this.#running.size >= this.#threads || this.#waiting.size === 0) return undefined;
    const now = this.#now();
    const used = this.#usedUntil(now);
    const queued = Array.from(this.#waiting, (turn) => ({ turn, users: turn.users() }));
    const active = new Set([...used.keys(), ...queued.flatMap(({ users }) => users)]);
    let next: (typeof queued)[number] | undefined;
    let min = Infinity;
    for (const one of queued) {
      // A shared task has the priority of its user with the least time.
      const time = one.users.length === 0 ? -1 : Math.min(...one.users.map((user) => used.get(user) ?? 0));
      const isBefore = time < min || (time === min && next?.turn.isLong === true && !one.turn.isLong);
      if (isBefore && this.#mayRun(one.turn, one.users, active)) [next, min] = [one, time];
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

  #mayRun({ isLong }: T, users: readonly string[], active: ReadonlySet<string>): boolean {
    if (this.#threads === 1 || users.length === 0) return true;
    const maxThreads = this.#threads - 1;
    const running = [...this.#running];
    if (isLong && running.filter(([turn]) => turn.isLong).length >= maxThreads) return false;
    if (active.size === 1) return true;
    return users.some((user) => running.filter(([, task]) => task.users.includes(user)).length < maxThreads);
  }

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

  #left(user: string, now: number): number {
    const used = this.#used.get(user);
    if (!used) return 0;
    const left = used.milliseconds * 0.5 ** ((now - used.at) / halfLifeMilliseconds);
    return left < minMilliseconds ? 0 : left;
  }
}
