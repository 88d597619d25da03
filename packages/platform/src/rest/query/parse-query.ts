import { RestError, unreadable } from '../rest-error.ts';
import { parseFilter, parseLogic } from './parse-condition.ts';
import { parseField } from './parse-field.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import { checkBounds } from './request-bounds.ts';
import type { RequestQuery, Scope } from './request-query.ts';
import { Scanner } from './scanner.ts';

/** Names of the embedded tables that lead to one, as a key. A name may hold anything but this. */
const separator = '\u0000';

export function scopeKey(path: readonly string[]): string {
  return path.join(separator);
}

/**
 * What a query string asks for. `skip` names parameters that are not read here: arguments of a function.
 * Throws RestError PGRST100 for what cannot be read or is more than a request may ask for, and PGRST103 for a range that cannot be.
 */
export function parseQuery(
  parameters: Iterable<readonly [string, string]>,
  skip: ReadonlySet<string> = new Set(),
): RequestQuery {
  const scopes = new Map<string, Scope>();
  const scopeAt = (path: readonly string[]): Scope => {
    const key = scopeKey(path);
    let scope = scopes.get(key);
    if (!scope) {
      scope = { conditions: [], order: [], limit: undefined, offset: 0 };
      scopes.set(key, scope);
    }
    return scope;
  };
  let select = parseSelect('*');
  let columns: string[] | undefined;
  let onConflict: string[] | undefined;

  for (const [key, value] of parameters) {
    if (skip.has(key)) continue;
    if (key === 'select') select = parseSelect(value);
    else if (key === 'columns') columns = parseNames(value, 'columns');
    else if (key === 'on_conflict') onConflict = parseNames(value, 'on_conflict');
    else {
      const { path, word, negated } = specialKey(key);
      if (word === 'order') scopeAt(path).order = parseOrder(value);
      else if (word === 'limit') scopeAt(path).limit = parseNumber(value, 'limit');
      else if (word === 'offset') scopeAt(path).offset = parseNumber(value, 'offset');
      else if (word !== undefined) scopeAt(path).conditions.push(parseLogic(word, negated, value));
      else addFilter(key, value, scopeAt);
    }
  }
  const query = { select, scopes, columns, onConflict };
  checkBounds(query);
  return query;
}

interface SpecialKey {
  readonly path: string[];
  readonly word?: 'order' | 'limit' | 'offset' | 'and' | 'or';
  readonly negated: boolean;
}

/** `order`, `embedded.limit`, `embedded.not.or`: without a word where the key is that of a filter. */
function specialKey(key: string): SpecialKey {
  const found = /^((?:[^".]+\.)*?)(not\.)?(order|limit|offset|and|or)$/.exec(key);
  if (!found) return { path: [], negated: false };
  const word = found[3] as 'order' | 'limit' | 'offset' | 'and' | 'or';
  const negated = found[2] !== undefined;
  if (negated && word !== 'and' && word !== 'or') return { path: [], negated: false };
  return { path: found[1]!.split('.').slice(0, -1), word, negated };
}

function addFilter(key: string, value: string, scopeAt: (path: string[]) => Scope): void {
  const scanner = new Scanner(key, 'filter name');
  const path: string[] = [];
  for (;;) {
    const start = scanner.at;
    const name = scanner.name();
    if (scanner.takes('.')) {
      path.push(name);
      continue;
    }
    scanner.at = start;
    const field = parseField(scanner);
    if (!scanner.done) scanner.fail('the end');
    scopeAt(path).conditions.push(parseFilter(field, value));
    return;
  }
}

/** `"a","b"` or `a,b`. */
function parseNames(text: string, what: string): string[] {
  const scanner = new Scanner(text, `${what} parameter`);
  const names: string[] = [];
  if (scanner.done) return names;
  do {
    scanner.spaces();
    names.push(scanner.name());
    scanner.spaces();
  } while (scanner.takes(','));
  if (!scanner.done) scanner.fail('"," or the end');
  return [...new Set(names)];
}

function parseNumber(text: string, what: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw unreadable(`${what} parameter`, text, 'expecting a whole number');
  const number = Number(text);
  if (number < 0) {
    throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `The ${what} must not be negative.`,
    });
  }
  return number;
}
