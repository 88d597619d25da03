import { unreadable } from '../rest-error.ts';
import type { Field, JsonStep } from './request-query.ts';

export class Scanner {
  readonly text: string;
  readonly #what: string;
  at = 0;

  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  takes(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  expects(text: string): void {
    if (!this.takes(text)) this.fail(`"${text}"`);
  }

  /** Matches a sticky expression here; undefined, without advancing, if it does not match. */
  matches(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return undefined;
    this.at += match[0].length;
    return match;
  }

  fail(expected: string): never {
    const actual = this.done ? 'end of input' : JSON.stringify(this.text.charAt(this.at));
    throw unreadable(
      this.#what,
      this.text,
      `unexpected ${actual} at column ${this.at + 1}, expecting ${expected}`,
    );
  }

  /** Text of `"…"`, with backslash escapes of `"` and itself; undefined, without advancing, if there is none. */
  quoted(): string | undefined {
    const match = this.matches(/"((?:[^"\\]|\\.)*)"/sy);
    return match && match[1]!.replaceAll(/\\(.)/gs, '$1');
  }

  /** A name, quoted or bare up to a separator. Never empty. */
  name(): string {
    const quoted = this.quoted();
    // A hyphen is part of a name unless it begins an arrow.
    const name = quoted ?? this.matches(/(?:[^\s"(),.:*!>=-]| (?=[^\s(),.:*!])|-(?!>))+/y)?.[0];
    if (name === undefined || name === '') this.fail('a name');
    return name;
  }

  spaces(): void {
    this.matches(/\s*/y);
  }
}

/** Indices of JSON arrays are 32-bit numbers in PostgreSQL. */
const maxPlace = 2 ** 31 - 1;

/** Each step is an operator around the previous one, and PostgreSQL's parser is recursive. */
const maxSteps = 20;

/** `name`, `name->key`, `name->0->>"odd key"`. */
export function parseField(scanner: Scanner): Field {
  const name = scanner.name();
  return { name, path: parsePath(scanner) };
}

export function parsePath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  while (scanner.sees('->')) {
    if (path.length === maxSteps) scanner.fail(`at most ${maxSteps} steps`);
    const asText = scanner.takes('->>');
    if (!asText) scanner.expects('->');
    const place = scanner.matches(/-?\d+(?=$|->|[.,:()])/y)?.[0];
    if (place !== undefined && Math.abs(Number(place)) > maxPlace) scanner.fail('a smaller number');
    path.push({ key: place === undefined ? scanner.name() : Number(place), asText });
  }
  return path;
}
