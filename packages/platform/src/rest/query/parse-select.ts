import { RestError } from '../rest-error.ts';
import { parsePath, Scanner, parseField } from './scanner.ts';
import type { SelectItem, OrderTerm } from './request-query.ts';

/** No legitimate selection is deeper. */
const maxDepth = 10;

/** `select=`: `*`, columns with alias, JSON path and cast, and related tables in parentheses. Throws RestError PGRST100. */
export function parseSelect(text: string): SelectItem[] {
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

export function parseOrder(text: string): OrderTerm[] {
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
