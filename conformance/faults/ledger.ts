/** What one user was told is stored, or gone. */
export interface Kept<T> {
  readonly id: string;
  /** What it may hold: the acknowledged content, and any that a call of unknown end may have written. */
  contents: T[];
  state: 'there' | 'gone' | 'unknown';
  /** A call of unknown end that would bring it back may come to its end after it was deleted. */
  doubtful: boolean;
}

export interface KeptFile {
  readonly path: string;
  /** SHA-256 of its bytes; empty of a file that the server made. */
  readonly digest: string;
  readonly kind: 'pbmc' | 'trio' | 'noise';
}

export interface Ledger {
  readonly email: string;
  readonly subsets: Map<string, Kept<number>>;
  readonly images: Map<string, Kept<string>>;
  readonly files: Map<string, Kept<KeptFile>>;
  /** By the id of the job: conversions and builds that were accepted. */
  readonly jobs: Map<string, { readonly kind: 'convert' | 'build'; cancelled: boolean }>;
  /** Personal keys by their ids: the key, and whether it was revoked. */
  readonly keys: Map<string, { readonly key: string; revoked: boolean }>;
  /** Paths of objects whose making or removal ended nobody knows how. */
  readonly doubtfulObjects: Set<string>;
}

export function newLedger(email: string): Ledger {
  return {
    email,
    subsets: new Map(),
    images: new Map(),
    files: new Map(),
    jobs: new Map(),
    keys: new Map(),
    doubtfulObjects: new Set(),
  };
}

/** How many there may be. */
export function countOf(map: ReadonlyMap<string, Kept<unknown>>): number {
  return [...map.values()].filter(({ state }) => state !== 'gone').length;
}
