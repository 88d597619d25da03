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

/** Values by key, the least recently used dropped when their bytes exceed the limit. */
export class ByteCache<Key, T> {
  readonly #limit: number;
  readonly #sizeOf: (value: T) => number;
  /** In order of last use. */
  readonly #values = new Map<Key, T>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(limit: number, sizeOf: (value: T) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get use(): CacheUse {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      bytes: this.#bytes,
      limit: this.#limit,
    };
  }

  get(key: Key): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** A value larger than the limit is not kept. */
  set(key: Key, value: T): void {
    this.#drop(key);
    const size = this.#sizeOf(value);
    if (size > this.#limit) return;
    this.#values.set(key, value);
    this.#bytes += size;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.#drop(oldest);
      this.#evictions += 1;
    }
  }

  /** Drops the values whose keys match. */
  forget(matches: (key: Key) => boolean): void {
    for (const key of this.#values.keys()) if (matches(key)) this.#drop(key);
  }

  #drop(key: Key): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= this.#sizeOf(value);
  }
}
