import type { Column } from '../schema/database-schema.ts';
import { columnOf, type Source } from './column-expression.ts';
import { identifier } from './statement.ts';

/** Types whose values have one length, or nearly. */
const short: ReadonlySet<string> = new Set([
  'bool',
  'date',
  'float4',
  'float8',
  'int2',
  'int4',
  'int8',
  'interval',
  'name',
  'oid',
  'time',
  'timestamp',
  'timestamptz',
  'timetz',
  'uuid',
]);

/** Types whose length PostgreSQL knows without unpacking the value. */
const texts: ReadonlySet<string> = new Set(['bpchar', 'text', 'varchar']);

/** Adds up about how many bytes a row is as JSON. */
export class RowSizes {
  readonly #source: Source;
  /** How often each column is asked for; its length is looked up once. */
  readonly #columns = new Map<string, number>();
  readonly #others: string[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  addColumn(name: string): void {
    this.#columns.set(name, (this.#columns.get(name) ?? 0) + 1);
  }

  add(bytes: string): void {
    this.#others.push(bytes);
  }

  /** `names` are the keys of the row. */
  text(names: readonly string[]): string {
    const keys = names.reduce((sum, name) => sum + Buffer.byteLength(name) + 4, 8);
    const columns = [...this.#columns].map(
      ([name, times]) => `${times}::int8 * ${valueBytes(this.#source.alias, columnOf(this.#source, name))}`,
    );
    return [`${keys}::int8`, ...columns, ...this.#others].join(' + ');
  }
}

/**
 * SQL of about how many bytes the value of a column is as text, found without building the text wherever that is
 * possible. Escapes of JSON are not counted: control characters become six times as long, quotes twice.
 */
function valueBytes(alias: string, { name, baseType }: Column): string {
  const value = `${identifier(alias)}.${identifier(name)}`;
  // A time of 8 bytes has 35 characters, a uuid of 16 has 38.
  if (short.has(baseType)) return `coalesce(pg_column_size(${value}) * 3 + 16, 4)`;
  if (texts.has(baseType)) return `coalesce(octet_length(${value}), 4)`;
  if (baseType === 'bytea') return `coalesce(octet_length(${value}) * 2, 4)`;
  return `coalesce(octet_length(${value}::text), 4)`;
}
