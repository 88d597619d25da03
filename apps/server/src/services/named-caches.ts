import type { CacheUse } from '@cellfolio/store';

/** Caches by the names under which their numbers are told. */
export type NamedCaches = readonly (readonly [name: string, use: CacheUse])[];
