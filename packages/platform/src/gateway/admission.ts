import { isIPv6 } from 'node:net';

export interface AdmissionLimits {
  readonly running: number;
  /** Maximum per user; further calls are queued. */
  readonly runningPerUser: number;
  readonly waiting: number;
  readonly waitingPerUser: number;
  readonly queueTimeoutMilliseconds: number;
  /** Processing time per user while other users are active; default unlimited. */
  readonly budget?: {
    readonly milliseconds: number;
    readonly share: number;
    /** Cost of a call in milliseconds; concurrent calls share the elapsed time. Bytes are those received and sent. */
    readonly costOf: (elapsedMilliseconds: number, bytes: number) => number;
  };
}

/** The call was rejected before any work; it may be retried. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
  /** `user`: this user has too many calls; `server`: too many calls over all users, or low memory. */
  readonly whose: 'user' | 'server';
  readonly retryAfterSeconds: number;

  constructor(scope: 'user' | 'server', message: string, retryAfterSeconds: number) {
    super(message);
    this.whose = scope;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function tooManyOfUser(): NotAdmitted {
  return new NotAdmitted('user', 'Too many of your requests are in progress. Wait until some finish.', 2);
}

/** A user counts as active for this long after a call. */
const hereMilliseconds = 5_000;

/** Tracks active users, to find out whether a user is the only one. */
export class RecentUsers {
  readonly #last = new Map<string, { readonly network: string | undefined; readonly at: number }>();

  /** `network`: origin of the call, if known; `now` in milliseconds. */
  note(user: string, network: string | undefined, now: number): void {
    const currentNetwork = network ?? this.#last.get(user)?.network;
    this.#last.delete(user);
    this.#last.set(user, { network: currentNetwork, at: now });
    for (const [first, { at }] of this.#last) {
      if (now - at < hereMilliseconds) break;
      this.#last.delete(first);
    }
  }

  /**
   * Milliseconds until this is the only active user. Users without an account are identified by their network, so they
   * may be the same people as users with an account in that network.
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
  readonly memoryShort?: () => boolean;
  readonly onTurnedAway?: (whose: 'user' | 'server') => void;
  /** Shared by all admissions of a process, so that other kinds of calls count as activity. */
  readonly recent?: RecentUsers;
  readonly now?: () => number;
}

interface QueuedCall {
  user: string;
  admit: (release: Release) => void;
}

/** Ends a turn, once. `bytes` were received and sent in it. */
export type Release = (bytes?: number) => void;

/**
 * Admits calls within limits per user and in total, and rejects calls when the queue is full. Scheduling is fair: next
 * is the user with the fewest running calls, and among equals the one least recently admitted, so that one user's long
 * queue does not delay others. While other users are active, a user who has used up the budget waits until it recovers.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #memoryShort: () => boolean;
  readonly #onTurnedAway: (whose: 'user' | 'server') => void;
  readonly #recent: RecentUsers;
  readonly #now: () => number;
  /** Budget used by each user, in milliseconds, as of `at`. */
  readonly #takenBy = new Map<string, { readonly milliseconds: number; readonly at: number }>();
  #budgetTimer: NodeJS.Timeout | undefined;
  readonly #runningOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  readonly #waiting: QueuedCall[] = [];
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

  /** Whether calls wait because all places are taken, and not only the places of their own users. */
  get isCrowded(): boolean {
    return this.#waiting.length > 0 && this.#running >= this.#limits.running;
  }

  /**
   * Waits for a turn and returns a function that releases it. `user` is the network for a user without an account.
   * Throws NotAdmitted, or the signal's reason.
   */
  async enter(user: string, signal: AbortSignal, network?: string): Promise<Release> {
    this.#recent.note(user, network, this.#now());
    try {
      return await this.#turn(user, signal);
    } catch (error) {
      if (error instanceof NotAdmitted) this.#onTurnedAway(error.whose);
      throw error;
    }
  }

  async #turn(user: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    if (this.#memoryShort()) {
      throw new NotAdmitted('server', 'The server is short of memory. Try again in a few seconds.', 5);
    }
    if (this.#mayRun(user)) return this.#start(user);
    const { waiting, waitingPerUser, queueTimeoutMilliseconds } = this.#limits;
    if ((this.#waitingOf.get(user) ?? 0) >= waitingPerUser) {
      throw tooManyOfUser();
    }
    if (this.#waiting.length >= waiting) {
      throw new NotAdmitted('server', 'The server is busy. Try again in a few seconds.', 2);
    }
    const turn = Promise.withResolvers<Release>();
    const mine: QueuedCall = { user, admit: turn.resolve };
    this.#waiting.push(mine);
    count(this.#waitingOf, user, 1);
    this.#awaitBudgets();
    const giveUp = (reason: unknown): void => {
      const place = this.#waiting.indexOf(mine);
      // Already admitted.
      if (place < 0) return;
      this.#leave(place);
      this.#forget(user);
      turn.reject(reason);
    };
    const onAbort = (): void => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const queueTimeout = setTimeout(
      () => giveUp(new NotAdmitted('server', 'The server is busy. Try again in a few seconds.', 5)),
      queueTimeoutMilliseconds,
    );
    try {
      return await turn.promise;
    } finally {
      clearTimeout(queueTimeout);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #mayRun(user: string): boolean {
    return this.#hasPlace(user) && this.#overdraft(user) === 0;
  }

  #hasPlace(user: string): boolean {
    return (
      this.#running < this.#limits.running && (this.#runningOf.get(user) ?? 0) < this.#limits.runningPerUser
    );
  }

  #overdraft(user: string): number {
    const { budget } = this.#limits;
    if (!budget) return 0;
    const paid = (this.#taken(user) - budget.milliseconds) / budget.share;
    if (paid <= 0) return 0;
    return Math.min(paid, this.#recent.untilAlone(user, this.#now()));
  }

  #taken(user: string): number {
    const spent = this.#takenBy.get(user);
    if (!spent) return 0;
    return Math.max(0, spent.milliseconds - (this.#now() - spent.at) * (this.#limits.budget?.share ?? 0));
  }

  #take(user: string, milliseconds: number, bytes: number): void {
    const { budget } = this.#limits;
    if (!budget) return;
    // Bounded, so that one long call does not block its user for minutes.
    const spent = Math.min(this.#taken(user) + budget.costOf(milliseconds, bytes), 2 * budget.milliseconds);
    this.#takenBy.set(user, { milliseconds: spent, at: this.#now() });
    for (const other of this.#takenBy.keys()) if (this.#taken(other) === 0) this.#takenBy.delete(other);
  }

  /** Schedules the next check for when the first queued user's budget has recovered. */
  #awaitBudgets(): void {
    clearTimeout(this.#budgetTimer);
    // Others are admitted when a call ends. A budget may have recovered since it was last looked at.
    const waits = this.#waiting
      .filter(({ user }) => this.#hasPlace(user))
      .map(({ user }) => this.#overdraft(user));
    if (waits.length === 0) return;
    this.#budgetTimer = setTimeout(() => this.#callNext(), Math.max(1, Math.ceil(Math.min(...waits))));
  }

  #start(user: string): Release {
    this.#running += 1;
    this.#lastOf.set(user, ++this.#admitted);
    count(this.#runningOf, user, 1);
    const begun = this.#now();
    let ended = false;
    return (bytes = 0) => {
      if (ended) return;
      ended = true;
      this.#take(user, (this.#now() - begun) / this.#running, bytes);
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

  #forget(user: string): void {
    if (!this.#runningOf.has(user) && !this.#waitingOf.has(user)) this.#lastOf.delete(user);
  }

  #leave(place: number): QueuedCall {
    const [leaving] = this.#waiting.splice(place, 1) as [QueuedCall];
    count(this.#waitingOf, leaving.user, -1);
    return leaving;
  }
}

/** Deletes counters that reach zero, so that the map stays small. */
function count(of: Map<string, number>, user: string, change: 1 | -1): void {
  const now = (of.get(user) ?? 0) + change;
  if (now === 0) of.delete(user);
  else of.set(user, now);
}

/** An IPv6 customer usually has a whole /64: count the network, not each of its 2^64 addresses. */
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
