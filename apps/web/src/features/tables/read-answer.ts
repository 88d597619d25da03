import { CsvReader } from './read-csv.ts';
import type { ColumnKind, TableColumns } from './table-columns.ts';

const defaultPieceBytes = 4 * 1024 * 1024;

/**
 * Reads an answer in JSON and the CSV that one of its fields is. Where that is the first field, it is read piece after
 * piece, so that it may be longer than a string can be. Throws TypeError where the answer has no such field, SyntaxError for
 * what is no JSON.
 * @returns the answer, the field empty, and the columns of the table
 */
export async function readAnswer(
  file: Blob,
  field: string,
  kinds: ReadonlyMap<string, ColumnKind>,
  pieceBytes = defaultPieceBytes,
): Promise<{ answer: unknown; columns: TableColumns }> {
  const reader = new CsvReader(kinds);
  const opening = `{${JSON.stringify(field)}:"`;
  if ((await file.slice(0, opening.length).text()) === opening) {
    const rest = await readString(file.slice(opening.length), pieceBytes, (piece) => reader.add(piece));
    return { answer: JSON.parse(`${opening}"${rest}`) as unknown, columns: reader.end() };
  }
  const fields = new Map<string, unknown>(
    Object.entries((JSON.parse(await file.text()) as object | null) ?? {}),
  );
  const csv = fields.get(field);
  if (typeof csv !== 'string') throw new TypeError(`The answer has no ${field}.`);
  reader.add(csv);
  return { answer: Object.fromEntries(fields.set(field, '')), columns: reader.end() };
}

/**
 * Hands over the content of a JSON string, of which a file has the characters behind the opening quote, in pieces.
 * @returns the text behind the closing quote
 */
async function readString(file: Blob, pieceBytes: number, take: (piece: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let at = 0; at < file.size; at += pieceBytes) {
    const bytes = await file.slice(at, at + pieceBytes).arrayBuffer();
    text += decoder.decode(bytes, { stream: true });
    const quote = closingQuote(text);
    if (quote >= 0) {
      take(unescaped(text.slice(0, quote)));
      const rest = await file.slice(at + pieceBytes).arrayBuffer();
      return text.slice(quote + 1) + decoder.decode(rest);
    }
    const whole = text.length - openEscape(text);
    take(unescaped(text.slice(0, whole)));
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
