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

/** Whole numbers, so that the driver gives numbers. */
export function answerColumns(body: string, total: string, inserted = 'null::int'): string {
  return `${body} as "body", count(*)::int as "page", ${total} as "total", ${inserted} as "inserted"`;
}
