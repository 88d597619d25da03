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
export function bodyText(media: MediaType, names: readonly string[]): string {
  const { form, stripNulls } = media;
  if (form === 'csv') {
    const { head, between } = frameOf(media, names);
    return `${textLiteral(head)} || coalesce(string_agg(${rowText(media, names)}, ${textLiteral(between)}), '')`;
  }
  const rows = stripNulls ? `json_agg(json_strip_nulls(row_to_json("r".*)))` : `json_agg("r".*)`;
  return form === 'object' ? `(${rows} -> 0)::text` : `coalesce(${rows}, '[]')::text`;
}

/** What stands around the rows of a body, and between them: with it they make what `bodyText` gives. */
export interface Frame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

export function frameOf({ form, stripNulls }: MediaType, names: readonly string[]): Frame {
  if (form === 'object') return { head: '', between: '', tail: '' };
  if (form === 'csv') return { head: `${names.map(csvField).join(',')}\n`, between: '\n', tail: '' };
  // As the database's own aggregate writes it: rows begin a line, JSON values do not.
  return { head: '[', between: stripNulls ? ', ' : ', \n ', tail: ']' };
}

/** The expression that turns the row `"r"` into its text in a body. */
export function rowText({ form, stripNulls }: MediaType, names: readonly string[]): string {
  if (form === 'csv') return csvLine(names);
  return stripNulls ? `json_strip_nulls(row_to_json("r".*))::text` : `row_to_json("r".*)::text`;
}

/** A line as RFC 4180 has it, but ended by a line feed alone. */
function csvLine(names: readonly string[]): string {
  const fields = names.map((name) => {
    const text = `"r".${identifier(name)}::text`;
    return `case when ${text} ~ '[",\\r\\n]' then '"' || replace(${text}, '"', '""') || '"' else coalesce(${text}, '') end`;
  });
  return fields.join(` || ',' || `) || `''`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface AnswerParts {
  /** Queries behind `with`, each once: what writes or calls. */
  readonly source: string;
  /** An aggregate of `"r"`; none for no body. */
  readonly body: string | undefined;
  /** A select that gives of each row of the answer about how many bytes it is, as `"bytes"`. */
  readonly sizes: string;
  readonly total?: string;
  readonly inserted?: string;
  /** What stands behind `from`, as `"r"`. */
  readonly from: string;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
}

/**
 * The statement that gives the `AnswerRow` of a write or a call, which can run only once. What would be too long is
 * not built. Its numbers are of a type that the driver gives as numbers.
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
