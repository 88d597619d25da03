/** What was opened, to be closed in the opposite order. */
export class ClosingOrder {
  readonly #closers: (() => Promise<unknown>)[] = [];

  /** Hands the thing back, to be closed before all that was kept earlier. */
  keep<T extends { close(): Promise<unknown> }>(thing: T): T {
    this.#closers.push(() => thing.close());
    return thing;
  }

  /** One that cannot be closed does not keep the others open; its failure is thrown in the end. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      await closer().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
