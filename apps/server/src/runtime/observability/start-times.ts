/** How long the start of this process took, part by part, in seconds. */
export class StartTimes {
  readonly #parts = new Map<string, number>();
  /** Since the process began, in milliseconds. */
  #last = 0;

  /** Ends a part, which began where the one before it ended; the first begins with the process. */
  end(part: string): void {
    const now = performance.now();
    this.#parts.set(part, Math.round(now - this.#last) / 1000);
    this.#last = now;
  }

  get parts(): ReadonlyMap<string, number> {
    return this.#parts;
  }

  get whole(): number {
    return Math.round(this.#last) / 1000;
  }
}
