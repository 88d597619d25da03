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
    const known = this.#made.get(key);
    if (known) return known;
    const made = this.#turn.then(() => this.#make(manifest));
    this.#turn = made.catch(() => undefined);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    return made;
  }

  keepOnly(manifests: readonly DatasetManifest[]): void {
    const current = new Set(manifests.map(keyOf));
    for (const key of this.#made.keys()) if (!current.has(key)) this.#made.delete(key);
  }
}

const keyOf = ({ id, version }: DatasetManifest): string => `${id}@${version}`;
