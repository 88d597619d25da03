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

interface Waiting {
  readonly user: string;
  readonly admit: (release: () => void) => void;
}

/**
 * Lets calls to their work, each user's no more than a few at a time, and turns those away that would only make everybody
 * wait longer. Users take turns: whose calls are fewest under way is next, and of these whoever was let in longest ago,
 * so that a user's next call waits behind those of others and not behind all that one of them has sent.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** Whether memory is short, asked for every call. */
  readonly #memoryShort: () => boolean;
  readonly #onTurnedAway: (whose: 'user' | 'server') => void;
  readonly #runningOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  /** In the order they came. */
  readonly #waiting: Waiting[] = [];
  /** The number of the call that was let in last, of users who have calls here. */
  readonly #lastOf = new Map<string, number>();
  #running = 0;
  #admitted = 0;

  constructor(
    limits: AdmissionLimits,
    memoryShort: () => boolean = () => false,
    onTurnedAway: (whose: 'user' | 'server') => void = () => {},
  ) {
    this.#limits = limits;
    this.#memoryShort = memoryShort;
    this.#onTurnedAway = onTurnedAway;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn; resolves to what ends it. Throws NotAdmitted; the signal's reason when aborted.
   */
  async enter(user: string, signal: AbortSignal): Promise<() => void> {
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
    const impatience = setTimeout(
      () => giveUp(new NotAdmitted('server', 'The server is busy. Try again in a few seconds.', 5)),
      patienceMilliseconds,
    );
    try {
      return await turn.promise;
    } finally {
      clearTimeout(impatience);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #mayRun(user: string): boolean {
    return (
      this.#running < this.#limits.running && (this.#runningOf.get(user) ?? 0) < this.#limits.runningPerUser
    );
  }

  #start(user: string): () => void {
    this.#running += 1;
    this.#lastOf.set(user, ++this.#admitted);
    count(this.#runningOf, user, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
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
      if (next < 0) return;
      const { user, admit } = this.#leave(next);
      admit(this.#start(user));
    }
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
