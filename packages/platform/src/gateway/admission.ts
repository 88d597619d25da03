import { isIPv6 } from 'node:net';

/** How much work is let in at a time. */
export interface AdmissionLimits {
  /** Calls that are worked on at the same time, of all users. */
  readonly running: number;
  /** Of one user; what comes on top waits. */
  readonly runningPerUser: number;
  /** Calls that wait, of all users. */
  readonly waiting: number;
  readonly waitingPerUser: number;
  /** How long a call may wait for its turn. */
  readonly patienceMilliseconds: number;
  /** What one user may take while others are here; without it there is no such bound. */
  readonly budget?: {
    /** All at once. Calls under way at a time share it, and what nobody notices of each (20 ms) is free. */
    readonly milliseconds: number;
    /** Of the time that passes, from then on. */
    readonly share: number;
  };
}

/** A call that was not let in; nothing of it has been done, so it may be sent again. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
  /** `user`: this caller has too many calls under way; `server`: all callers together, or memory. */
  readonly whose: 'user' | 'server';
  readonly retryAfterSeconds: number;

  constructor(whose: 'user' | 'server', message: string, retryAfterSeconds: number) {
    super(message);
    this.whose = whose;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** How long a user counts as here after a call. */
const hereMilliseconds = 5_000;
/** Of a call that is free of charge. */
const unnoticedMilliseconds = 20;

/** Who has made calls lately: all that must be known is whether anybody but one user has. */
export class RecentUsers {
  /** The last call of each user, the latest at the end. */
  readonly #last = new Map<string, { readonly network: string | undefined; readonly at: number }>();

  /** `network` where a call came from, where that is known; `now` in milliseconds. */
  note(user: string, network: string | undefined, now: number): void {
    const known = network ?? this.#last.get(user)?.network;
    this.#last.delete(user);
    this.#last.set(user, { network: known, at: now });
    for (const [first, { at }] of this.#last) {
      if (now - at < hereMilliseconds) break;
      this.#last.delete(first);
    }
  }

  /**
   * Milliseconds until nobody but this user counts as here. Whoever has no account is known by their network alone: they
   * may be those of the same network who have one.
   */
  untilAlone(user: string, now: number): number {
    const own = this.#last.get(user)?.network;
    let latest = -Infinity;
    for (const [other, { network, at }] of this.#last) {
      if (other === user || (network === own && (user === own || other === network))) continue;
      latest = Math.max(latest, at);
    }
    return Math.max(0, hereMilliseconds - (now - latest));
  }
}

export interface AdmissionOptions {
  /** Whether memory is short, asked for every call. */
  readonly memoryShort?: () => boolean;
  readonly onTurnedAway?: (whose: 'user' | 'server') => void;
  /** Of all that a process lets in, so that whoever does something else counts as here. */
  readonly recent?: RecentUsers;
  /** Milliseconds that only rise. */
  readonly now?: () => number;
}

interface Waiting {
  readonly user: string;
  readonly admit: (release: () => void) => void;
}

/**
 * Lets calls to their work, each user's no more than a few at a time, and turns those away that would only make everybody
 * wait longer. Users take turns: whose calls are fewest under way is next, and of these whoever was let in longest ago,
 * so that a user's next call waits behind those of others and not behind all that one of them has sent. Whoever has used
 * up their budget waits until the share of the time that passes has made up for it, while others are here.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #memoryShort: () => boolean;
  readonly #onTurnedAway: (whose: 'user' | 'server') => void;
  readonly #recent: RecentUsers;
  readonly #now: () => number;
  /** What users have taken of their budget, in milliseconds, as it was at a moment. */
  readonly #takenBy = new Map<string, { readonly milliseconds: number; readonly at: number }>();
  #budgetTimer: NodeJS.Timeout | undefined;
  readonly #runningOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  /** In the order they came. */
  readonly #waiting: Waiting[] = [];
  /** The number of the call that was let in last, of users who have calls here. */
  readonly #lastOf = new Map<string, number>();
  #running = 0;
  #admitted = 0;

  constructor(limits: AdmissionLimits, options: AdmissionOptions = {}) {
    this.#limits = limits;
    this.#memoryShort = options.memoryShort ?? (() => false);
    this.#onTurnedAway = options.onTurnedAway ?? (() => {});
    this.#recent = options.recent ?? new RecentUsers();
    this.#now = options.now ?? (() => performance.now());
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn; resolves to what ends it. A user without an account is their network. Throws NotAdmitted; the
   * signal's reason when aborted.
   */
  async enter(user: string, signal: AbortSignal, network?: string): Promise<() => void> {
    this.#recent.note(user, network, this.#now());
    try {
      return await this.#turn(user, signal);
    } catch (error) {
      if (error instanceof NotAdmitted) this.#onTurnedAway(error.whose);
      throw error;
    }
  }

  async #turn(user: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#memoryShort()) {
      throw new NotAdmitted('server', 'The server is short of memory. Try again in a few seconds.', 5);
    }
    if (this.#mayRun(user)) return this.#start(user);
    const { waiting, waitingPerUser, patienceMilliseconds } = this.#limits;
    if ((this.#waitingOf.get(user) ?? 0) >= waitingPerUser) {
      throw new NotAdmitted('user', 'Too many of your calls are under way. Wait until some are done.', 2);
    }
    if (this.#waiting.length >= waiting) {
      throw new NotAdmitted('server', 'The server is busy. Try again in a few seconds.', 2);
    }
    const turn = Promise.withResolvers<() => void>();
    const mine: Waiting = { user, admit: turn.resolve };
    this.#waiting.push(mine);
    count(this.#waitingOf, user, 1);
    this.#awaitBudgets();
    const giveUp = (reason: unknown): void => {
      const place = this.#waiting.indexOf(mine);
      // Not in the queue any more: the turn has come already and is taken.
      if (place < 0) return;
      this.#leave(place);
      this.#forget(user);
      turn.reject(reason);
    };
    const onAbort = (): void => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const queueTimeout = setTimeout(
      () => giveUp(new NotAdmitted('server', 'The server is busy. Try again in a few seconds.', 5)),
      patienceMilliseconds,
    );
    try {
      return await turn.promise;
    } finally {
      clearTimeout(queueTimeout);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #mayRun(user: string): boolean {
    return (
      this.#running < this.#limits.running &&
      (this.#runningOf.get(user) ?? 0) < this.#limits.runningPerUser &&
      this.#overdraft(user) === 0
    );
  }

  /** Milliseconds until a user may have a turn again, as far as the budget goes. */
  #overdraft(user: string): number {
    const { budget } = this.#limits;
    if (!budget) return 0;
    const paid = (this.#taken(user) - budget.milliseconds) / budget.share;
    if (paid <= 0) return 0;
    return Math.min(paid, this.#recent.untilAlone(user, this.#now()));
  }

  /** What is not made up for yet of what a user has taken. */
  #taken(user: string): number {
    const taken = this.#takenBy.get(user);
    if (!taken) return 0;
    return Math.max(0, taken.milliseconds - (this.#now() - taken.at) * (this.#limits.budget?.share ?? 0));
  }

  #take(user: string, milliseconds: number): void {
    const { budget } = this.#limits;
    if (!budget) return;
    // One long call is not held against its user for minutes.
    const charged = Math.max(0, milliseconds - unnoticedMilliseconds);
    const taken = Math.min(this.#taken(user) + charged, 2 * budget.milliseconds);
    this.#takenBy.set(user, { milliseconds: taken, at: this.#now() });
    for (const other of this.#takenBy.keys()) if (this.#taken(other) === 0) this.#takenBy.delete(other);
  }

  /** Looks again when the first of those who wait for their budget may have a turn. */
  #awaitBudgets(): void {
    clearTimeout(this.#budgetTimer);
    const waits = this.#waiting.map(({ user }) => this.#overdraft(user)).filter((wait) => wait > 0);
    if (waits.length === 0) return;
    this.#budgetTimer = setTimeout(() => this.#callNext(), Math.ceil(Math.min(...waits)));
  }

  #start(user: string): () => void {
    this.#running += 1;
    this.#lastOf.set(user, ++this.#admitted);
    count(this.#runningOf, user, 1);
    const begun = this.#now();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#take(user, (this.#now() - begun) / this.#running);
      this.#running -= 1;
      count(this.#runningOf, user, -1);
      this.#callNext();
      this.#forget(user);
    };
  }

  #callNext(): void {
    for (;;) {
      let next = -1;
      this.#waiting.forEach(({ user }, place) => {
        if (this.#mayRun(user) && (next < 0 || this.#isBefore(user, this.#waiting[next]!.user))) next = place;
      });
      if (next < 0) break;
      const { user, admit } = this.#leave(next);
      admit(this.#start(user));
    }
    this.#awaitBudgets();
  }

  #isBefore(one: string, other: string): boolean {
    const fewer = (this.#runningOf.get(one) ?? 0) - (this.#runningOf.get(other) ?? 0);
    return fewer === 0 ? (this.#lastOf.get(one) ?? 0) < (this.#lastOf.get(other) ?? 0) : fewer < 0;
  }

  /** Users who have no call here are forgotten. */
  #forget(user: string): void {
    if (!this.#runningOf.has(user) && !this.#waitingOf.has(user)) this.#lastOf.delete(user);
  }

  #leave(place: number): Waiting {
    const [leaving] = this.#waiting.splice(place, 1) as [Waiting];
    count(this.#waitingOf, leaving.user, -1);
    return leaving;
  }
}

/** Users of whom nothing is counted are forgotten. */
function count(of: Map<string, number>, user: string, change: 1 | -1): void {
  const now = (of.get(user) ?? 0) + change;
  if (now === 0) of.delete(user);
  else of.set(user, now);
}

/** One customer usually holds a whole IPv6 /64: count the network, not each of its 2^64 addresses. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const right = tail === '' ? [] : tail.split(':');
    while (left.length + right.length < 8) left.push('0');
    left.push(...right);
  }
  return `${left
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
