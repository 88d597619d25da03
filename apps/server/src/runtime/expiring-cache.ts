/** The oldest entries are evicted first. */
const maxEntries = 10_000;

/** A cache with a short lifetime, so that a burst of requests loads each value once. */
export class ExpiringCache<T> {
  readonly #answers = new Map<string, { at: number; answer: Promise<T> }>();
  readonly #milliseconds: number;
  readonly #now: () => number;

  constructor(milliseconds: number, now: () => number = Date.now) {
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** The cached value, or the result of `ask`; rejections are not cached. */
  recall(key: string, ask: () => Promise<T>): Promise<T> {
    const cached = this.#answers.get(key);
    if (cached && this.#now() - cached.at < this.#milliseconds) return cached.answer;
    const answer = ask();
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#now(), answer });
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
    });
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > maxEntries && !oldest.done) this.#answers.delete(oldest.value);
    return answer;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }
}
