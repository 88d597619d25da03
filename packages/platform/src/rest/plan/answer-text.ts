import type { MediaType } from '../query/media-type.ts';
import { identifier, textLiteral } from './statement.ts';

/** What a statement answers in its one row. */
export interface AnswerRow {
  /** The body, ready to send; null where none was asked for. */
  readonly body: string | null;
  /** Rows in the body. */
  readonly page: number;
  /** Rows without limit and offset; null where nobody counted. */
  readonly total: number | null;
  /** Of an upsert, rows that were not there before; null elsewhere. */
  readonly inserted: number | null;
  /** The body was longer than it may be, so it is not here. */
  readonly oversized: boolean;
}

/** The expression that turns the rows of `"r"` into the text of a body, inside the database so that types look as hosted. */
export function bodyText({ form, stripNulls }: MediaType, names: readonly string[]): string {
  if (form === 'csv') return csvText(names);
  const rows = stripNulls ? `json_agg(json_strip_nulls(row_to_json("r".*)))` : `json_agg("r".*)`;
  return form === 'object' ? `(${rows} -> 0)::text` : `coalesce(${rows}, '[]')::text`;
}

/** Lines as RFC 4180 has them, but ended by a line feed alone, the first with the names. */
function csvText(names: readonly string[]): string {
  const header = names.map((name) => textLiteral(csvField(name))).join(` || ',' || `) || `''`;
  const fields = names.map((name) => {
    const text = `"r".${identifier(name)}::text`;
    return `case when ${text} ~ '[",\\r\\n]' then '"' || replace(${text}, '"', '""') || '"' else coalesce(${text}, '') end`;
  });
  const line = fields.join(` || ',' || `) || `''`;
  return `${header} || chr(10) || coalesce(string_agg(${line}, chr(10)), '')`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface AnswerParts {
  /** `with …` in front, or nothing. */
  readonly source?: string;
  readonly body: string;
  readonly total?: string;
  readonly inserted?: string;
  /** What stands behind `from`, as `"r"`. */
  readonly from: string;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
}

/** The select that gives the `AnswerRow`. Its numbers are of a type that the driver gives as numbers. */
export function answerSelect(parts: AnswerParts): string {
  const { source = '', body, total = 'null::int', inserted = 'null::int', from, maxBytes } = parts;
  const answer = `select ${body} as "body", count(*)::int as "page", ${total} as "total", ${inserted} as "inserted" from ${from}`;
  // A longer text must not reach this process: it would not fit into a string, and nothing could answer that.
  return (
    `${source}select case when octet_length("body") <= ${maxBytes} then "body" end as "body", "page", "total", ` +
    `"inserted", coalesce(octet_length("body") > ${maxBytes}, false) as "oversized" from (${answer}) as "answer"`
  );
}
