import { LRUCache } from 'lru-cache';

/** How a cache is used, since it was made. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  /** Values dropped to make room for others. */
  readonly evictions: number;
  /** What it holds now; NaN as long as that is not known. */
  readonly bytes: number;
  /** What it may hold. */
  readonly limit: number;
}

/** Values by key, the least recently used dropped when their bytes exceed the limit; counts how it is used. */
export class ByteCache<Key extends string | number, T extends object> {
  readonly #limit: number;
  readonly #values: LRUCache<Key, T>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(limit: number, sizeOf: (value: T) => number) {
    this.#limit = limit;
    this.#values = new LRUCache<Key, T>({
      // The library takes no zeros; a cache of one byte keeps nothing that has any.
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

  /** A value larger than the limit is not kept. */
  set(key: Key, value: T): void {
    this.#values.set(key, value);
  }

  /** Drops the values whose keys match. */
  forget(matches: (key: Key) => boolean): void {
    for (const key of Array.from(this.#values.keys())) if (matches(key)) this.#values.delete(key);
  }
}
