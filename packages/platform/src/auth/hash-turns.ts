interface WaitingHash {
  by: readonly string[];
  begin: () => void;
}

/** Milliseconds after its rest during which an account or address still queues behind those without a turn. */
const recent = 1000;

/**
 * Turns to hash passwords, each of which takes a core for a while. Accounts and addresses rest after a hash as long as
 * it took, and the last to rest goes last: repeated sign-ins delay others by one hash at most.
 */
export class HashTurns {
  readonly #concurrent: number;
  #running = 0;
  readonly #waiting: WaitingHash[] = [];
  /** End of each account's or address's rest, in milliseconds of `performance.now`; the oldest first. */
  readonly #restUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(concurrent: number) {
    this.#concurrent = concurrent;
  }

  /** `by`: the account and the address a hash is made for; empty for the operator's. */
  async run<T>(by: readonly string[], hash: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ by, begin });
      this.#beginNext();
    });
    const begun = performance.now();
    try {
      return await hash();
    } finally {
      const now = performance.now();
      for (const who of by) {
        this.#restUntil.delete(who);
        this.#restUntil.set(who, now + (now - begun));
      }
      this.#running -= 1;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (const [who, until] of this.#restUntil) {
      if (until > now - recent) break;
      this.#restUntil.delete(who);
    }
    while (this.#running < this.#concurrent && this.#waiting.length > 0) {
      const readyAt = this.#waiting.map(({ by }) =>
        Math.max(0, ...by.map((who) => this.#restUntil.get(who) ?? 0)),
      );
      const earliest = Math.min(...readyAt);
      if (earliest > now) {
        this.#timer = setTimeout(() => this.#beginNext(), earliest - now);
        return;
      }
      const [next] = this.#waiting.splice(readyAt.indexOf(earliest), 1);
      this.#running += 1;
      next!.begin();
    }
  }
}
