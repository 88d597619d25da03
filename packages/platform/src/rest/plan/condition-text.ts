import { comparisons, type Condition, type Field, type Test, textSearches } from '../query/request-query.ts';
import { columnExpression, columnOf, type Source } from './column-expression.ts';
import type { Values } from './statement.ts';

/** Whether a filter is about something that is no column: an embedded table. Its SQL, or undefined. */
export type SpecialFilter = (field: Field, test: Test) => string | undefined;

/** The SQL of a condition on a row of `source`; its values are bound. */
export function conditionText(
  condition: Condition,
  source: Source,
  values: Values,
  special: SpecialFilter = () => undefined,
): string {
  const text =
    condition.kind === 'logic'
      ? condition.children
          .map((child) => conditionText(child, source, values, special))
          .join(` ${condition.operator} `)
      : (special(condition.field, condition.test) ??
        testText(condition.test, condition.field, source, values));
  return condition.negated ? `(not (${text}))` : `(${text})`;
}

const patterns: ReadonlySet<string> = new Set(['like', 'ilike', 'match', 'imatch']);
/**
 * A pattern is compared with so many characters of a text. The slowest of a thousand characters takes a hundredth of a
 * second for them, and half a minute for the four million letters that a picture may have.
 */
const comparedLetters = 2_000;

function testText(test: Test, field: Field, source: Source, values: Values): string {
  const expression = columnExpression(source, field, values);
  switch (test.kind) {
    case 'compare':
      return `${comparable(expression, test.operator)} ${comparisons.get(test.operator)!} ${values.bind(test.value)}`;
    case 'quantified':
      return `${comparable(expression, test.operator)} ${comparisons.get(test.operator)!} ${test.quantifier} (${values.bind(test.value)})`;
    case 'in':
      return `${expression} = any (${values.bind(arrayLiteral(test.values))})`;
    case 'is':
      return `${expression} is ${test.value}`;
    case 'search': {
      const isVector = field.path.length === 0 && columnOf(source, field.name).baseType === 'tsvector';
      const language = test.language === undefined ? '' : `${values.bind(test.language)}::regconfig, `;
      const vector = isVector ? expression : `to_tsvector(${language}${expression})`;
      return `${vector} @@ ${textSearches.get(test.operator)!}(${language}${values.bind(test.value)})`;
    }
    default:
      return test satisfies never;
  }
}

function comparable(expression: string, operator: string): string {
  return patterns.has(operator) ? `left(${expression}, ${comparedLetters})` : expression;
}

/** An array as PostgreSQL reads it; elements become what the column's type makes of their text. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
