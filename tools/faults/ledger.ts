import { createHash } from 'node:crypto';

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

/** What a day may have brought to light; any of them is a failure of the product. */
type FindingKind =
  /** A write that was acknowledged and is not there, or not as it was. */
  | 'lost'
  /** A figure or table with other numbers than on a calm day. */
  | 'wrong'
  /** Something that nobody owns and nothing clears away. */
  | 'orphan'
  /** An answer that tells a client neither what is wrong nor to come again. */
  | 'unclean'
  /** Something that never ended, or never came back. */
  | 'stuck';

export class Findings {
  readonly #found = new Map<string, { kind: FindingKind; text: string; times: number; first: string }>();
  readonly #counts = new Map<string, number>();
  readonly #onFinding: (line: string) => void;

  constructor(onFinding: (line: string) => void) {
    this.#onFinding = onFinding;
  }

  /** `text` says what kind of thing it is, without ids; `example` is one case in full. */
  add(kind: FindingKind, text: string, example = ''): void {
    const known = this.#found.get(`${kind} ${text}`);
    if (known) {
      known.times += 1;
      return;
    }
    this.#found.set(`${kind} ${text}`, { kind, text, times: 1, first: example });
    this.#onFinding(`  ${kind.toUpperCase()}: ${text} ${example}`);
  }

  /** Something worth a number in the report. */
  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  get size(): number {
    return this.#found.size;
  }

  get counts(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(([a], [b]) => a.localeCompare(b));
  }

  lines(): string[] {
    return [...this.#found.values()].map(
      ({ kind, text, times, first }) => `${kind.toUpperCase()} ×${times}: ${text} ${first}`,
    );
  }
}

/** SHA-256, hex. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

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
