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
