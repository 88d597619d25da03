import type { MediaType } from '../query/headers.ts';
import { identifier, textLiteral, columnOf, type Source } from './expressions.ts';
import type { Column } from '../database-schema.ts';

export interface AnswerRow {
  body: string | null;
  page: number;
  /** Rows without limit and offset; null if not counted. */
  total: number | null;
  /** For an upsert, the number of new rows; null elsewhere. */
  inserted: number | null;
  /** The body exceeded the limit and is missing. */
  oversized: boolean;
}

/**
 * SQL expression that turns the rows of `"r"` into the body text, inside the database so that types are formatted as in
 * a hosted project.
 */
export function bodyText(media: MediaType, names: readonly string[]): string {
  const { form, stripNulls } = media;
  if (form === 'csv') {
    const { head, between } = frameOf(media, names);
    return `${textLiteral(head)} || coalesce(string_agg(${rowText(media, names)}, ${textLiteral(between)}), '')`;
  }
  const rows = stripNulls ? `json_agg(json_strip_nulls(row_to_json("r".*)))` : `json_agg("r".*)`;
  return form === 'object' ? `(${rows} -> 0)::text` : `coalesce(${rows}, '[]')::text`;
}

/** Text around and between the rows of a body; together they equal the result of `bodyText`. */
export interface Frame {
  head: string;
  between: string;
  tail: string;
}

export function frameOf({ form, stripNulls }: MediaType, names: readonly string[]): Frame {
  if (form === 'object') return { head: '', between: '', tail: '' };
  if (form === 'csv') return { head: `${names.map(csvField).join(',')}\n`, between: '\n', tail: '' };
  // As the database's own aggregate writes it: rows begin a line, JSON values do not.
  return { head: '[', between: stripNulls ? ', ' : ', \n ', tail: ']' };
}

export function rowText({ form, stripNulls }: MediaType, names: readonly string[]): string {
  if (form === 'csv') return csvLine(names);
  return stripNulls ? `json_strip_nulls(row_to_json("r".*))::text` : `row_to_json("r".*)::text`;
}

/**
 * A line as in RFC 4180, but ended by a line feed alone. Quotes what PostgreSQL quotes in the text of a row, as a
 * hosted project does, so that an empty text differs from a missing value.
 */
function csvLine(names: readonly string[]): string {
  const fields = names.map((name) => {
    const text = `"r".${identifier(name)}::text`;
    return `case when ${text} ~ '^$|[[:space:]",()]' then '"' || replace(${text}, '"', '""') || '"' else coalesce(${text}, '') end`;
  });
  return fields.join(` || ',' || `) || `''`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface AnswerParts {
  source: string;
  /** Aggregate of `"r"`; undefined for no body. */
  body: string | undefined;
  /** Select of the approximate bytes of each response row, as `"bytes"`. */
  sizes: string;
  total?: string;
  inserted?: string;
  from: string;
  maxBytes: number;
}

/**
 * Statement for the `AnswerRow` of a write or a call, which can run only once. A body over the limit is not built. Its
 * numbers have a type that the driver returns as numbers.
 */
export function answerSelect(parts: AnswerParts): string {
  const { source, body, sizes, total = 'null::int', inserted = 'null::int', from, maxBytes } = parts;
  const built =
    body === undefined
      ? 'null::text'
      : `case when "bytes" <= ${maxBytes} then (select ${body} from ${from}) end`;
  return (
    `with ${source}, "measured" as materialized (select count(*)::int as "page", ` +
    `coalesce(sum("bytes"), 0) as "bytes" from (${sizes}) as "sizes") ` +
    // Escapes were not counted, so the text itself is measured as well. The offset keeps it from being built twice.
    `select case when octet_length("body") <= ${maxBytes} then "body" end as "body", "page", "total", "inserted", ` +
    `"bytes" > ${maxBytes} or coalesce(octet_length("body") > ${maxBytes}, false) as "oversized" from (` +
    `select ${built} as "body", "page", "bytes", ` +
    `${total} as "total", ${inserted} as "inserted" from "measured" offset 0) as "answer"`
  );
}

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

/** Adds up the approximate size of a row as JSON. */
export class RowSizes {
  readonly #source: Source;
  /** Uses of each column; its length is looked up once. */
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

  text(names: readonly string[]): string {
    const keys = names.reduce((sum, name) => sum + Buffer.byteLength(name) + 4, 8);
    const columns = [...this.#columns].map(
      ([name, times]) => `${times}::int8 * ${valueBytes(this.#source.alias, columnOf(this.#source, name))}`,
    );
    return [`${keys}::int8`, ...columns, ...this.#others].join(' + ');
  }
}

/**
 * SQL for the approximate bytes of a column's value as text, without building the text wherever possible. JSON escapes
 * are not counted: they make control characters six times as long, and quotes twice.
 */
function valueBytes(alias: string, { name, baseType }: Column): string {
  const value = `${identifier(alias)}.${identifier(name)}`;
  // A time of 8 bytes has 35 characters, a uuid of 16 has 38.
  if (short.has(baseType)) return `coalesce(pg_column_size(${value}) * 3 + 16, 4)`;
  if (texts.has(baseType)) return `coalesce(octet_length(${value}), 4)`;
  if (baseType === 'bytea') return `coalesce(octet_length(${value}) * 2, 4)`;
  return `coalesce(octet_length(${value}::text), 4)`;
}
