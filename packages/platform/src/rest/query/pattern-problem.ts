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
