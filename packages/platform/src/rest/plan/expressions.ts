import type { Column } from '../database-schema.ts';
import { type Field, comparisons, type Condition, type Test, textSearches } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';

/** SQL with bound values: its text never contains any. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

export class Values {
  readonly list: unknown[] = [];

  /** Placeholder of a value in the text: `$1` for the first. */
  bind(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Quotes a name. Only names from the schema, or aliases that nothing is looked up by, may be passed. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualified({ schema, name }: { schema: string; name: string }): string {
  return `${identifier(schema)}.${identifier(name)}`;
}

/** A schema name as a text literal, independent of the session's backslash setting. */
export function textLiteral(name: string): string {
  const quoted = `'${name.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return quoted.includes('\\') ? `E${quoted}` : quoted;
}

export interface Source {
  name: string;
  alias: string;
  columns: ReadonlyMap<string, Column>;
}

const castTypes = new Map(
  [
    ['bigint', 'int8'],
    ['boolean', 'bool'],
    ['bytea'],
    ['date'],
    ['double precision', 'float8', 'float'],
    ['integer', 'int', 'int4'],
    ['interval'],
    ['json'],
    ['jsonb'],
    ['numeric', 'decimal'],
    ['real', 'float4'],
    ['smallint', 'int2'],
    ['text'],
    ['time'],
    ['timestamp'],
    ['timestamptz'],
    ['uuid'],
    ['varchar', 'character varying'],
  ].flatMap(([type = '', ...others]) =>
    [type, ...others].flatMap((name): [string, string][] => [
      [name, type],
      [`${name}[]`, `${type}[]`],
    ]),
  ),
);

export function castType(name: string): string {
  const type = castTypes.get(name);
  if (type === undefined) {
    throw new RestError(400, '42704', `type "${name}" does not exist`, {
      hint: `Supported casts: ${[...new Set(castTypes.values())].filter((candidate) => !candidate.endsWith('[]')).join(', ')}.`,
    });
  }
  return type;
}

export function columnOf(source: Source, name: string): Column {
  const column = source.columns.get(name);
  if (!column) throw new RestError(400, '42703', `column ${source.name}.${name} does not exist`);
  return column;
}

/** SQL of a column or of a path inside it. Throws RestError 42703 for an unknown column. */
export function columnExpression(source: Source, field: Field, values: Values): string {
  const column = columnOf(source, field.name);
  const plain = `${identifier(source.alias)}.${identifier(column.name)}`;
  if (field.path.length === 0) return plain;
  const isJson = column.baseType === 'json' || column.baseType === 'jsonb';
  return field.path.reduce(
    (expression, { key, asText }) =>
      // A number was read digit by digit, so it can stand in the text.
      `${expression}${asText ? '->>' : '->'}${typeof key === 'number' ? `(${key})` : `${values.bind(key)}::text`}`,
    isJson ? plain : `to_jsonb(${plain})`,
  );
}

/** SQL of a filter on an embedded table; undefined for a filter on a column. */
type SpecialFilter = (field: Field, test: Test) => string | undefined;

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
 * Maximum characters of a text compared with a pattern. The slowest pattern of a thousand characters takes a hundredth
 * of a second for them, and half a minute for the four million letters of a picture.
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

/** PostgreSQL array literal; elements are parsed by the column's type. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
