import { CsvReader } from './read-csv.ts';
import { type ColumnKind, type TableColumns, textsOf } from './table-columns.ts';

const defaultPieceBytes = 4 * 1024 * 1024;
/** Rows that a page holds: 60,000 genes in 50 groups. A million takes some 160 megabytes. */
const defaultMaxRows = 3_000_000;

/** An answer in JSON, and the field of it that has a table as CSV. */
export interface AnswerFile {
  readonly file: Blob;
  readonly field: string;
  /** Kinds of columns by their headings. */
  readonly kinds: ReadonlyMap<string, ColumnKind>;
}

interface ReadOptions {
  readonly pieceBytes?: number | undefined;
  readonly maxRows?: number | undefined;
}

/** What the page holds of an answer. */
interface ReadAnswer {
  /** With the field of the table empty. */
  readonly answer: unknown;
  /** The rows of its first groups, where these are not all: see `rowsOfAnswer`. */
  readonly columns: TableColumns;
  /** Rows of the whole table. */
  readonly fileRows: number;
}

/**
 * Reads an answer and its table. Where that is the first field, it is read piece after piece, so that it may be longer than
 * a string can be, and than there is room for. Throws TypeError where the answer has no such field, SyntaxError for what is
 * no JSON.
 */
export async function readAnswer(
  { file, field, kinds }: AnswerFile,
  { pieceBytes = defaultPieceBytes, maxRows = defaultMaxRows }: ReadOptions = {},
): Promise<ReadAnswer> {
  const reader = new CsvReader(kinds);
  const opening = openingOf(field);
  if ((await file.slice(0, opening.length).text()) === opening) {
    let held: TableColumns | undefined;
    let fileRows = 0;
    let rest = '';
    for await (const piece of stringPieces(file.slice(opening.length), pieceBytes)) {
      if ('rest' in piece) rest = piece.rest;
      else reader.add(piece.text);
      if (held === undefined && reader.rowCount <= maxRows) continue;
      const taken = reader.take();
      held ??= firstGroups(taken, maxRows);
      fileRows += taken.rowCount;
    }
    const last = reader.end();
    const answer = JSON.parse(`${opening}"${rest}`) as unknown;
    return { answer, columns: held ?? firstGroups(last, maxRows), fileRows: fileRows + last.rowCount };
  }
  const fields = new Map<string, unknown>(
    Object.entries((JSON.parse(await file.text()) as object | null) ?? {}),
  );
  const csv = fields.get(field);
  if (typeof csv !== 'string') throw new TypeError(`The answer has no ${field}.`);
  reader.add(csv);
  const columns = reader.end();
  return { answer: Object.fromEntries(fields.set(field, '')), columns, fileRows: columns.rowCount };
}

/** All rows of an answer whose first field the table is, some tens of thousands at a time. */
export async function* rowsOfAnswer(
  { file, field, kinds }: AnswerFile,
  { pieceBytes = defaultPieceBytes }: ReadOptions = {},
): AsyncGenerator<TableColumns> {
  const reader = new CsvReader(kinds);
  for await (const piece of stringPieces(file.slice(openingOf(field).length), pieceBytes)) {
    if ('rest' in piece) break;
    reader.add(piece.text);
    if (reader.rowCount > 0) yield reader.take();
  }
  yield reader.end();
}

/** The rows of as many whole groups as there is room for; as many rows where the first group has more. */
function firstGroups(table: TableColumns, maxRows: number): TableColumns {
  if (table.rowCount <= maxRows) return table;
  const groups = textsOf(table.columns, 'group')?.codes;
  let count = maxRows;
  if (groups !== undefined) while (count > 0 && groups[count - 1] === groups[count]) count--;
  if (count === 0) count = maxRows;
  const columns = table.columns.map((column) => {
    if (column.numbers !== undefined) return { ...column, numbers: column.numbers.slice(0, count) };
    const codes = column.codes.slice(0, count);
    // Categories are in the order in which they first occur.
    const last = codes.reduce((largest, code) => Math.max(largest, code), -1);
    return { ...column, codes, categories: column.categories.slice(0, last + 1) };
  });
  return { ...table, columns, rowCount: count };
}

function openingOf(field: string): string {
  return `{${JSON.stringify(field)}:"`;
}

/**
 * The content of a JSON string in pieces, of which a file has the characters behind the opening quote; then the text behind
 * the closing one.
 */
async function* stringPieces(
  file: Blob,
  pieceBytes: number,
): AsyncGenerator<{ readonly text: string } | { readonly rest: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for (let at = 0; at < file.size; at += pieceBytes) {
    const bytes = await file.slice(at, at + pieceBytes).arrayBuffer();
    text += decoder.decode(bytes, { stream: true });
    const quote = closingQuote(text);
    if (quote >= 0) {
      yield { text: unescaped(text.slice(0, quote)) };
      const rest = await file.slice(at + pieceBytes).arrayBuffer();
      yield { rest: text.slice(quote + 1) + decoder.decode(rest) };
      return;
    }
    const whole = text.length - openEscape(text);
    yield { text: unescaped(text.slice(0, whole)) };
    text = text.slice(whole);
  }
  throw new SyntaxError('The answer ends in the middle of its table.');
}

function unescaped(characters: string): string {
  return JSON.parse(`"${characters}"`) as string;
}

function closingQuote(text: string): number {
  let at = text.indexOf('"');
  while (at >= 0 && backslashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1);
  return at;
}

/** Characters at the end that may be the beginning of an escape, of which the longest is `\u1234`. */
function openEscape(text: string): number {
  const at = text.lastIndexOf('\\');
  if (at < text.length - 6 || at < 0) return 0;
  const isEscape = backslashesBefore(text, at) % 2 === 0;
  const length = isEscape && text[at + 1] === 'u' ? 6 : 2;
  return isEscape && text.length - at < length ? text.length - at : 0;
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === '\\') count++;
  return count;
}
