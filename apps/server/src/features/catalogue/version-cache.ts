import type { DatasetManifest } from '@cellfolio/store';

/**
 * Caches a value for each dataset version, computed for one dataset at a time, so that a query across all of them does
 * not open all at once. A failed computation is retried at the next request.
 */
export class VersionCache<T> {
  readonly #make: (manifest: DatasetManifest) => Promise<T>;
  readonly #made = new Map<string, Promise<T>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(make: (manifest: DatasetManifest) => Promise<T>) {
    this.#make = make;
  }

  of(manifest: DatasetManifest): Promise<T> {
    const key = keyOf(manifest);
    const cached = this.#made.get(key);
    if (cached) return cached;
    const entry = this.#turn.then(() => this.#make(manifest));
    this.#turn = entry.catch(() => undefined);
    this.#made.set(key, entry);
    entry.catch(() => this.#made.delete(key));
    return entry;
  }

  keepOnly(manifests: readonly DatasetManifest[]): void {
    const current = new Set(manifests.map(keyOf));
    for (const key of this.#made.keys()) if (!current.has(key)) this.#made.delete(key);
  }
}

const keyOf = ({ id, version }: DatasetManifest): string => `${id}@${version}`;
