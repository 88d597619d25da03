import { CsvReader } from './read-csv.ts';
import { type ColumnKind, type TableColumns, textsOf } from './table-columns.ts';

const defaultPieceBytes = 4 * 1024 * 1024;
/** Maximum rows held by a page: 60,000 genes in 50 groups. A million rows take some 160 megabytes. */
const defaultMaxRows = 3_000_000;

export interface AnswerFile {
  file: Blob;
  field: string;
  kinds: ReadonlyMap<string, ColumnKind>;
}

interface ReadOptions {
  pieceBytes?: number | undefined;
  maxRows?: number | undefined;
}

interface ReadAnswer {
  /** The table's field is empty. */
  answer: unknown;
  /** Only the rows of the first groups if not all fit: see `rowsOfAnswer`. */
  columns: TableColumns;
  fileRows: number;
}

/**
 * Reads an answer and its table. If the table is the first field, it is read in pieces, so that it may exceed the
 * maximum string length and the rows that fit. Throws TypeError if the answer has no such field, SyntaxError for
 * invalid JSON.
 */
export async function readAnswer(
  { file, field, kinds }: AnswerFile,
  { pieceBytes = defaultPieceBytes, maxRows = defaultMaxRows }: ReadOptions = {},
): Promise<ReadAnswer> {
  const reader = new CsvReader(kinds);
  const opening = openingOf(field);
  if ((await file.slice(0, opening.length).text()) === opening) {
    let firstRows: TableColumns | undefined;
    let fileRows = 0;
    let rest = '';
    for await (const piece of stringPieces(file.slice(opening.length), pieceBytes)) {
      if ('rest' in piece) rest = piece.rest;
      else reader.add(piece.text);
      if (firstRows === undefined && reader.rowCount <= maxRows) continue;
      const batch = reader.take();
      firstRows ??= firstGroups(batch, maxRows);
      fileRows += batch.rowCount;
    }
    const last = reader.end();
    const answer = JSON.parse(`${opening}"${rest}`) as unknown;
    return { answer, columns: firstRows ?? firstGroups(last, maxRows), fileRows: fileRows + last.rowCount };
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

/** All rows of an answer whose first field is the table, some tens of thousands at a time. */
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

/** Rows of as many whole groups as fit; truncates the first group if it alone has too many rows. */
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
 * Pieces of a JSON string's content, from a file that starts after the opening quote; then the text after the closing
 * quote.
 */
async function* stringPieces(
  file: Blob,
  pieceBytes: number,
): AsyncGenerator<{ text: string } | { rest: string }> {
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
  throw new SyntaxError('The response ended before its table was complete.');
}

function unescaped(characters: string): string {
  return JSON.parse(`"${characters}"`) as string;
}

function closingQuote(text: string): number {
  let at = text.indexOf('"');
  while (at >= 0 && backslashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1);
  return at;
}

/** Number of trailing characters that may be an incomplete escape, the longest being `\u1234`. */
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
