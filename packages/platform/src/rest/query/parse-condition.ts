import { parseField, Scanner } from './scanner.ts';
import {
  comparisons,
  type Condition,
  type Field,
  isValues,
  quantified,
  type Test,
  textSearches,
} from './request-query.ts';

/** No legitimate request is deeper, and PostgreSQL's own parser is recursive. */
const maxDepth = 20;

/** Parses a filter value: `eq.1`, `not.in.(a,"b,c")`. Throws RestError PGRST100. */
export function parseFilter(field: Field, text: string): Condition {
  const scanner = new Scanner(text, 'filter');
  const { negated, word, argument } = parseOperator(scanner);
  const rest = text.slice(scanner.at);
  if (word !== 'in') return { kind: 'filter', field, negated, test: testOf(scanner, word, argument, rest) };
  const values = parseList(scanner);
  if (!scanner.done) scanner.fail('the end');
  return { kind: 'filter', field, negated, test: { kind: 'in', values } };
}

/** Parses the value of `and=` and `or=`: `(a.eq.1,or(b.lt.2,c.is.null))`. Throws RestError PGRST100. */
export function parseLogic(operator: 'and' | 'or', negated: boolean, text: string): Condition {
  const scanner = new Scanner(text, 'logic tree');
  const children = parseChildren(scanner, 0);
  if (!scanner.done) scanner.fail('the end');
  return { kind: 'logic', operator, negated, children };
}

function parseChildren(scanner: Scanner, depth: number): Condition[] {
  if (depth > maxDepth) scanner.fail(`at most ${maxDepth} levels`);
  scanner.expects('(');
  const children: Condition[] = [];
  do {
    scanner.spaces();
    children.push(parseChild(scanner, depth));
    scanner.spaces();
  } while (scanner.takes(','));
  scanner.expects(')');
  return children;
}

function parseChild(scanner: Scanner, depth: number): Condition {
  const tree = scanner.matches(/(not\.)?(and|or)(?=\()/y);
  if (tree) {
    const operator = tree[2] as 'and' | 'or';
    return {
      kind: 'logic',
      operator,
      negated: tree[1] !== undefined,
      children: parseChildren(scanner, depth + 1),
    };
  }
  const field = parseField(scanner);
  scanner.expects('.');
  const { negated, word, argument } = parseOperator(scanner);
  const test: Test =
    word === 'in'
      ? { kind: 'in', values: parseList(scanner) }
      : testOf(scanner, word, argument, parseNestedValue(scanner));
  return { kind: 'filter', field, negated, test };
}

interface ParsedOperator {
  negated: boolean;
  word: string;
  argument: string | undefined;
}

function parseOperator(scanner: Scanner): ParsedOperator {
  const negated = scanner.takes('not.');
  const start = scanner.at;
  const match = scanner.matches(/([a-z]+)(?:\(([\w -]*)\))?\./y);
  const [, word = '', argument] = match ?? [];
  const isOperator = comparisons.has(word) || textSearches.has(word) || word === 'in' || word === 'is';
  const fits =
    argument === undefined ||
    textSearches.has(word) ||
    (quantified.has(word) && (argument === 'any' || argument === 'all'));
  if (!isOperator || !fits) {
    scanner.at = start;
    scanner.fail('an operator such as eq, gt, in or is');
  }
  return { negated, word, argument };
}

function testOf(scanner: Scanner, word: string, argument: string | undefined, value: string): Test {
  if (word === 'is') {
    const literal = isValues.get(value.toLowerCase());
    if (literal === undefined) scanner.fail('null, not_null, true, false or unknown');
    return { kind: 'is', value: literal };
  }
  if (textSearches.has(word)) {
    // PostgreSQL's reader of queries keeps 32 open operators, and calls one more an internal error.
    if (/(?:!\s*){20}/.test(value)) scanner.fail('fewer negations of negations');
    return { kind: 'search', operator: word, ...(argument !== undefined && { language: argument }), value };
  }
  const problem = patternProblem(word, value, argument !== undefined);
  if (problem !== undefined) scanner.fail(problem);
  // An asterisk stands for a percent sign, which URLs must escape.
  const pattern = word === 'like' || word === 'ilike' ? value.replaceAll('*', '%') : value;
  return argument === undefined
    ? { kind: 'compare', operator: word, value: pattern }
    : { kind: 'quantified', operator: word, quantifier: argument as 'any' | 'all', value: pattern };
}

/** `(a,"b,c",d)`; `()` is an empty list. */
function parseList(scanner: Scanner): string[] {
  scanner.expects('(');
  if (scanner.takes(')')) return [];
  const values: string[] = [];
  do {
    const start = scanner.at;
    const quoted = scanner.quoted();
    if (quoted !== undefined && (scanner.sees(',') || scanner.sees(')'))) {
      values.push(quoted);
      continue;
    }
    scanner.at = start;
    // Clients do not escape quotes inside a value that they quote: one that neither ends an element nor begins the
    // next is part of the value. Where that finds no end either, the quotes are those of a bare value.
    const unescaped = scanner.matches(/"((?:[^"\\]|\\.|(?<!,)"(?![,)]))*)"(?=[,)])/sy)?.[1];
    values.push(unescaped ?? scanner.matches(/[^,)]*/y)![0]);
  } while (scanner.takes(','));
  scanner.expects(')');
  return values;
}

/** A value inside a logic tree: quoted, an array in braces, or bare up to the next comma or parenthesis. */
function parseNestedValue(scanner: Scanner): string {
  const start = scanner.at;
  const quoted = scanner.quoted();
  if (quoted !== undefined && (scanner.sees(',') || scanner.sees(')'))) return quoted;
  scanner.at = start;
  return scanner.matches(/\{[^{}]*\}(?=[,)])|[^,)]*/y)![0];
}

const longest = new Map([
  ['like', 1000],
  ['ilike', 1000],
  ['match', 100],
  ['imatch', 100],
]);

/**
 * Constructs that cost PostgreSQL more than one pass over the text: back references and `(?` need backtracking, `{n}`
 * multiplies the expression, and `***` changes the meaning of the rest. Without them an expression of this length is a
 * deterministic automaton: 4,000 random ones took milliseconds on texts of 10,000 letters, where `^(a+)(a+)(a+)\1\2\3$`
 * takes minutes on 900.
 */
const costly = /\\[1-9]|\(\?|\{|\*\*\*/;

/**
 * Reason to refuse a pattern, in words for the sender; undefined if accepted. `isList`: an array of patterns,
 * `{a,"b"}`, in which a backslash may precede any letter.
 */
function patternProblem(operator: string, value: string, isList: boolean): string | undefined {
  const pattern = isList ? value.slice(1, -1) : value;
  const limit = longest.get(operator);
  if (limit === undefined) return undefined;
  if (pattern.length > limit) return `a pattern of at most ${limit} characters`;
  const isRegex = operator === 'match' || operator === 'imatch';
  return isRegex && (costly.test(pattern) || (isList && costly.test(pattern.replaceAll('\\', ''))))
    ? 'a regular expression without back references, repetition counts, lookaround and directives'
    : undefined;
}

/**
 * Cost of a test's pattern matching: the number of patterns, and the characters that may be compared at each position
 * of a text. After a wildcard that is the longest piece up to the next one, since earlier pieces are not retried; 0 for
 * a pattern without `%`, and for an expression, which is an automaton.
 */
export function patternLoad(test: Test): { patterns: number; characters: number } {
  if ((test.kind !== 'compare' && test.kind !== 'quantified') || !longest.has(test.operator)) {
    return { patterns: 0, characters: 0 };
  }
  const isList = test.kind === 'quantified';
  const patterns = isList ? test.value.split(',') : [test.value];
  if (!test.operator.endsWith('like')) return { patterns: patterns.length, characters: 0 };
  const loads = patterns.map((pattern) => {
    // What a backslash means inside a list is not read here: there a pattern counts whole.
    const [, ...pieces] = isList
      ? pattern.includes('%')
        ? ['', pattern]
        : ['']
      : pattern.replaceAll(/\\./gs, '_').split('%');
    return Math.max(0, ...pieces.map(({ length }) => length));
  });
  return { patterns: patterns.length, characters: loads.reduce((sum, load) => sum + load, 0) };
}
