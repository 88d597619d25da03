/** What a day may have brought to light; any of them is a failure of the product. */
export type FindingKind =
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
