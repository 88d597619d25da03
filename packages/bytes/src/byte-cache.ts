import { LRUCache } from 'lru-cache';

export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  /** Current size; NaN while unknown. */
  readonly bytes: number;
  readonly limit: number;
}

/** A least-recently-used cache bounded by bytes, with usage counters. */
export class ByteCache<Key extends string | number, T extends object> {
  readonly #limit: number;
  readonly #values: LRUCache<Key, T>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(limit: number, sizeOf: (value: T) => number) {
    this.#limit = limit;
    this.#values = new LRUCache<Key, T>({
      // The library does not accept zero; a cache of one byte stores nothing that is not empty.
      maxSize: Math.max(1, Math.floor(limit)),
      sizeCalculation: (value) => Math.max(1, Math.ceil(sizeOf(value))),
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.#evictions++;
      },
    });
  }

  get use(): CacheUse {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      bytes: this.#values.calculatedSize,
      limit: this.#limit,
    };
  }

  get(key: Key): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value;
  }

  set(key: Key, value: T): void {
    this.#values.set(key, value);
  }

  forget(matches: (key: Key) => boolean): void {
    for (const key of Array.from(this.#values.keys())) if (matches(key)) this.#values.delete(key);
  }
}
