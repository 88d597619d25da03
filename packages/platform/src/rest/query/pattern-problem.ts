import type { Test } from './request-query.ts';

/** Operators whose value is a pattern, and the longest of each, in characters. */
const longest = new Map([
  ['like', 1000],
  ['ilike', 1000],
  ['match', 100],
  ['imatch', 100],
]);

/**
 * Constructs that cost PostgreSQL more than one pass over the text: back references and `(?` are searched for by
 * trying, `{n}` multiplies the expression, and `***` changes what the rest means. Without them an expression of this
 * length is a deterministic automaton: 4,000 random ones took milliseconds on texts of 10,000 letters, where
 * `^(a+)(a+)(a+)\1\2\3$` takes minutes on 900.
 */
const costly = /\\[1-9]|\(\?|\{|\*\*\*/;

/**
 * Why a pattern is refused, in words for its sender; undefined where it is taken. `isList` says that it is an array of
 * patterns, `{a,"b"}`, in which a backslash may stand before any letter.
 */
export function patternProblem(operator: string, value: string, isList: boolean): string | undefined {
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
 * How much a test asks of the database's matching of patterns: their number, and the characters that may have to be
 * compared at each place of a text. Behind a wildcard that is the longest piece up to the next one, for what stood
 * before it is not tried again; nothing of a pattern without `%`, nor of an expression, which is an automaton.
 */
export function patternLoad(test: Test): { readonly patterns: number; readonly characters: number } {
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
