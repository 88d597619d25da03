import { RestError, unreadable } from '../rest-error.ts';
import { parseFilter, parseLogic, patternLoad } from './parse-condition.ts';
import { parseField, Scanner, parsePath } from './scanner.ts';
import type { RequestQuery, Scope, Condition, SelectItem, OrderTerm } from './request-query.ts';

/** Joins the names of the embedded tables on the way to one, as a key. A name may contain anything but this. */
const separator = '\u0000';

export function scopeKey(path: readonly string[]): string {
  return path.join(separator);
}

/**
 * Parses a query string. `skip` names parameters that are not read here: arguments of a function. Throws RestError
 * PGRST100 for an unreadable query or one over the limits, and PGRST103 for an impossible range.
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
  path: string[];
  word?: 'order' | 'limit' | 'offset' | 'and' | 'or';
  negated: boolean;
}

/** `order`, `embedded.limit`, `embedded.not.or`: has no word if the key belongs to a filter. */
function specialKey(key: string): SpecialKey {
  const match = /^((?:[^".]+\.)*?)(not\.)?(order|limit|offset|and|or)$/.exec(key);
  if (!match) return { path: [], negated: false };
  const word = match[3] as 'order' | 'limit' | 'offset' | 'and' | 'or';
  const negated = match[2] !== undefined;
  if (negated && word !== 'and' && word !== 'or') return { path: [], negated: false };
  return { path: match[1]!.split('.').slice(0, -1), word, negated };
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

/** Limits of one request; no legitimate one needs more, and each costs the database work. */
const requestBounds = {
  /** Selected columns, including those of related tables; an alias counts as one more. */
  columns: 100,
  /** Related tables. PostgreSQL's planner takes minutes over hundreds of joins, and no time limit stops it there. */
  related: 30,
  /** Filters, including those inside `and` and `or`. */
  conditions: 100,
  orderTerms: 20,
  /** Patterns and regular expressions, counting each element of a list. */
  patterns: 10,
  /** In total, as counted by `patternLoad`: ten patterns with this sum take 0.1 s on a text of 99,000 letters. */
  patternCharacters: 300,
} as const;

/** Throws RestError PGRST100, naming the limit, for a request that exceeds one. */
function checkBounds({ select, scopes }: RequestQuery): void {
  const counts = { columns: 0, related: 0, conditions: 0, orderTerms: 0, patterns: 0, patternCharacters: 0 };
  const countItem = (item: SelectItem): void => {
    if (item.kind !== 'embed') counts.columns += 1;
    else {
      counts.related += 1;
      item.items.forEach(countItem);
    }
  };
  const countCondition = (condition: Condition): void => {
    if (condition.kind === 'logic') return condition.children.forEach(countCondition);
    counts.conditions += 1;
    const load = patternLoad(condition.test);
    counts.patterns += load.patterns;
    counts.patternCharacters += load.characters;
  };
  select.forEach(countItem);
  for (const { conditions, order } of scopes.values()) {
    conditions.forEach(countCondition);
    counts.orderTerms += order.length;
  }
  const check = (bound: keyof typeof requestBounds, parameter: string, what: string): void => {
    if (counts[bound] <= requestBounds[bound]) return;
    throw unreadable(
      parameter,
      `${counts[bound]} ${what}`,
      `at most ${requestBounds[bound]} ${what} in one request`,
    );
  };
  check('columns', 'select parameter', 'columns');
  check('related', 'select parameter', 'related tables');
  check('conditions', 'filter', 'conditions');
  check('orderTerms', 'order', 'terms');
  check('patterns', 'filter', 'patterns');
  check('patternCharacters', 'filter', 'characters of patterns');
}

/** No legitimate selection is deeper. */
const maxDepth = 10;

/** `select=`: `*`, columns with alias, JSON path and cast, and related tables in parentheses. Throws RestError PGRST100. */
function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter');
  const items = parseItems(scanner, 0);
  if (!scanner.done) scanner.fail('"," or the end');
  return items;
}

function parseItems(scanner: Scanner, depth: number): SelectItem[] {
  if (depth > maxDepth) scanner.fail(`at most ${maxDepth} levels of related tables`);
  const items: SelectItem[] = [];
  scanner.spaces();
  if (scanner.done || scanner.sees(')')) return items;
  do {
    scanner.spaces();
    items.push(parseItem(scanner, depth));
    scanner.spaces();
  } while (scanner.takes(','));
  return items;
}

function parseItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.takes('*')) return { kind: 'all' };
  const spread = scanner.takes('...');
  let name = scanner.name();
  let alias: string | undefined;
  scanner.spaces();
  if (scanner.sees(':') && !scanner.sees('::')) {
    scanner.expects(':');
    scanner.spaces();
    alias = name;
    name = scanner.name();
  }
  const named = alias === undefined ? {} : { alias };
  if (name === 'count' && scanner.sees('()')) throw noAggregates();
  if (spread || scanner.sees('!') || scanner.sees('(')) {
    const { hint, inner } = parseHints(scanner);
    scanner.expects('(');
    const items = parseItems(scanner, depth + 1);
    scanner.expects(')');
    return {
      kind: 'embed',
      target: name,
      ...named,
      ...(hint !== undefined && { hint }),
      inner,
      spread,
      items,
    };
  }
  const path = parsePath(scanner);
  const field = { name, path };
  const cast = parseCast(scanner);
  if (scanner.matches(/\.(?:count|sum|avg|min|max)\(\)/y)) throw noAggregates();
  return { kind: 'column', field, ...named, ...(cast !== undefined && { cast }) };
}

function parseHints(scanner: Scanner): { hint?: string; inner: boolean } {
  let hint: string | undefined;
  let inner = false;
  while (scanner.takes('!')) {
    const word = scanner.name();
    if (word === 'inner') inner = true;
    else if (word !== 'left') hint = word;
  }
  return hint === undefined ? { inner } : { hint, inner };
}

function parseCast(scanner: Scanner): string | undefined {
  if (!scanner.takes('::')) return undefined;
  const match = scanner.matches(/[a-z_][a-z0-9_ ]*(?:\[\])?/iy);
  if (!match) scanner.fail('the name of a type');
  return match[0].trim().toLowerCase();
}

function noAggregates(): RestError {
  return new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed', {
    hint: 'Ask for the count with Prefer: count=exact; other aggregates belong in a database function.',
  });
}

function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    scanner.spaces();
    terms.push(parseTerm(scanner));
  } while (scanner.takes(','));
  if (!scanner.done) scanner.fail('"," or the end');
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm {
  const start = scanner.at;
  let relation: string | undefined = scanner.name();
  if (scanner.takes('(')) {
    // The column is inside the parentheses.
  } else {
    relation = undefined;
    scanner.at = start;
  }
  const field = parseField(scanner);
  if (relation !== undefined) scanner.expects(')');
  const direction = scanner.matches(/\.(asc|desc)(?=$|[.,])/y)?.[1];
  const nulls = scanner.matches(/\.nulls(first|last)(?=$|,)/y)?.[1] as 'first' | 'last' | undefined;
  return {
    ...(relation !== undefined && { relation }),
    field,
    descending: direction === 'desc',
    ...(nulls && { nulls }),
  };
}
