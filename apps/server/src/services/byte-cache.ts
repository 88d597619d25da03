/** Least recently used values within a budget of bytes. A value larger than the budget is not kept. */
export class ByteCache<T> {
  readonly #entries = new Map<string, { value: T; bytes: number }>();
  readonly #budget: number;
  #held = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    if (bytes > this.#budget) return;
    this.#entries.set(key, { value, bytes });
    this.#held += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#held <= this.#budget) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#held -= entry.bytes;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#held;
  }
}
