/** Milliseconds of a slice: half of a frame, so that the page answers and draws in between. */
const slice = 8;

/**
 * Work that is done a slice at a time, with the page's own work in between; one piece after the other, in the order in
 * which they came. Each piece has a key: a new one takes the place of that which waits or is under way.
 */
export class SliceQueue<Key> {
  readonly #waiting = new Map<Key, Iterator<void, void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: PromiseWithResolvers<void> | undefined;

  /** @param steps of a few milliseconds each */
  add(key: Key, steps: Iterator<void, void>): void {
    this.#waiting.delete(key);
    this.#waiting.set(key, steps);
    this.#timer ??= setTimeout(this.#work);
  }

  delete(key: Key): void {
    this.#waiting.delete(key);
    this.#endWhereEmpty();
  }

  clear(): void {
    this.#waiting.clear();
    this.#endWhereEmpty();
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    // What was replaced at once did wait again.
    while (this.#waiting.size > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  readonly #work = (): void => {
    const end = performance.now() + slice;
    this.#timer = undefined;
    for (const [key, steps] of this.#waiting) {
      try {
        while (!steps.next().done) if (performance.now() >= end) return;
        this.#waiting.delete(key);
      } catch (error) {
        // One that fails must not be met again, nor keep the others from their turn.
        this.#waiting.delete(key);
        throw error;
      } finally {
        if (this.#waiting.size > 0) this.#timer ??= setTimeout(this.#work);
        this.#endWhereEmpty();
      }
      if (performance.now() >= end) return;
    }
  };

  #endWhereEmpty(): void {
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
