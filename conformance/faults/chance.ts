import type { Kept } from './ledger.ts';

/** What one user does by chance, in an order that the seed decides. */
export class Chance {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** From 0 up to 1. */
  share(): number {
    return this.#random();
  }

  number(): number {
    return Math.floor(this.#random() * 1e9);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  /** One of those that are there. */
  some<T>(map: ReadonlyMap<string, Kept<T>>): Kept<T> | undefined {
    const there = [...map.values()].filter(({ state }) => state === 'there');
    return there.length === 0 ? undefined : this.pick(there);
  }
}
