import type { Column } from '../schema/database-schema.ts';
import type { Field } from '../query/request-query.ts';
import { RestError } from '../rest-error.ts';
import { identifier, type Values } from './statement.ts';

/** What a name refers to in the part of the statement that is being written. */
export interface Source {
  /** For messages. */
  readonly name: string;
  readonly alias: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** The types that a selected column may be cast to, as PostgreSQL is told. */
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
      hint: `Casts are possible to ${[...new Set(castTypes.values())].filter((known) => !known.endsWith('[]')).join(', ')}.`,
    });
  }
  return type;
}

export function columnOf(source: Source, name: string): Column {
  const column = source.columns.get(name);
  if (!column) throw new RestError(400, '42703', `column ${source.name}.${name} does not exist`);
  return column;
}

/** The SQL of a column or of a place inside it. Throws RestError 42703 for a column that is not there. */
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
