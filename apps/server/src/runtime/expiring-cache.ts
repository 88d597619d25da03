/** Answers kept at most; the oldest give way. */
const memorySize = 10_000;

/** Answers that are believed for a short time, so that a burst of calls asks for each only once. */
export class ExpiringCache<T> {
  readonly #answers = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  readonly #milliseconds: number;
  readonly #now: () => number;

  constructor(milliseconds: number, now: () => number = Date.now) {
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** What is known under the key, or what `ask` answers; its failure is not an answer, and is not kept. */
  recall(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known && this.#now() - known.at < this.#milliseconds) return known.answer;
    const answer = ask();
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#now(), answer });
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
    });
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > memorySize && !oldest.done) this.#answers.delete(oldest.value);
    return answer;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }
}
