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

function testText(test: Test, field: Field, source: Source, values: Values): string {
  const expression = columnExpression(source, field, values);
  switch (test.kind) {
    case 'compare':
      return `${expression} ${comparisons.get(test.operator)!} ${values.bind(test.value)}`;
    case 'quantified':
      return `${expression} ${comparisons.get(test.operator)!} ${test.quantifier} (${values.bind(test.value)})`;
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

/** An array as PostgreSQL reads it; elements become what the column's type makes of their text. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
