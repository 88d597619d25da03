import { answerFields, type Declaration } from '@cellfolio/analyses';
import { csvText } from '@cellfolio/contract';
import { parse } from 'csv-parse';
import { z } from 'zod';

export const defaultRows = 50;
export const maxRows = 500;

/** The rows of a table that one call returns. */
export const tablePage = z
  .object({
    from: z.number().int().min(0).default(0).describe('Place of the first row, from 0 on.'),
    count: z.number().int().min(1).max(maxRows).default(defaultRows).describe('Maximum number of rows.'),
  })
  .describe('The rows of the table that are returned; the same call with another `from` returns others.');
type TablePage = z.output<typeof tablePage>;

export const resultTable = z
  .object({
    columns: z.array(z.object({ name: z.string(), title: z.string(), about: z.string() })),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    from: z.number().int(),
    total_rows: z.number().int(),
    next_from: z.number().int().nullable(),
  })
  .describe(
    'A page of the table: `columns` with name, title and meaning; `rows` with values in their order, missing ones null, infinite ones `inf` and `-inf`; `from`, `total_rows`, and `next_from`, which is null at the end.',
  );
type ResultTable = z.output<typeof resultTable>;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/**
 * Splits the JSON of an answer whose first field is a text: the text goes to `onText` in pieces, as it can be longer than
 * any string; the other fields are returned.
 */
async function splitAnswer(
  body: AsyncIterable<Uint8Array>,
  field: string,
  onText: (piece: string) => void,
): Promise<object> {
  const begin = Buffer.byteLength(`{${JSON.stringify(field)}:"`);
  const decoder = new TextDecoder();
  const rest: Uint8Array[] = [];
  let waiting: Uint8Array = Buffer.alloc(0);
  let part: 'begin' | 'text' | 'rest' = 'begin';
  for await (const piece of body) {
    if (part === 'rest') {
      rest.push(piece);
      continue;
    }
    let bytes: Uint8Array = Buffer.concat([waiting, piece]);
    if (part === 'begin' && bytes.length >= begin) {
      bytes = bytes.subarray(begin);
      part = 'text';
    }
    if (part === 'begin') {
      waiting = bytes;
      continue;
    }
    const end = endOfCharacters(bytes);
    onText(JSON.parse(`"${decoder.decode(bytes.subarray(0, end), { stream: true })}"`) as string);
    waiting = bytes.subarray(end);
    if (waiting[0] !== quote) continue;
    part = 'rest';
    rest.push(waiting.subarray(1));
  }
  // Behind the text comes a comma, or the end of an object that has nothing else.
  const others = Buffer.concat(rest).toString().replace(/^,/, '');
  return JSON.parse(`{${others}`) as object;
}

/** Bytes before the closing quote, or before an escape sequence that is not complete yet. */
function endOfCharacters(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] !== quote) {
    const length = bytes[at] !== backslash ? 1 : bytes[at + 1] === letterU ? 6 : 2;
    if (at + length > bytes.length) break;
    at += length;
  }
  return at;
}

/** The answer of an analysis: a page of its table, and its other fields. The table is read as it arrives. */
export async function readAnalysis(
  declaration: Declaration,
  body: AsyncIterable<Uint8Array>,
  { from, count }: TablePage,
): Promise<{ table: ResultTable; fields: ReadonlyMap<string, unknown> }> {
  const rows: ResultTable['rows'] = [];
  let columns: ResultTable['columns'] | undefined;
  let total = 0;
  const declared = new Map(Object.entries(declaration.table));
  const parser = parse({
    comment: '#',
    comment_no_infix: true,
    on_record: (cells: string[]) => {
      if (!columns) columns = cells.map((name) => columnOf(name, declared));
      else if (total++ >= from && rows.length < count)
        rows.push(cells.map((cell, at) => valueOf(cell, declared.get(columns![at]!.name))));
      return undefined;
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('error', reject).once('end', resolve).resume();
  });
  // It is awaited when the answer has been read.
  ended.catch(() => undefined);
  const field = `${answerFields(declaration).table}_csv`;
  // Records are taken as they are parsed, so that no piece waits in the parser.
  const fields = await splitAnswer(body, field, (piece) => void parser.write(piece));
  parser.end();
  await ended;
  const next = from + rows.length;
  return {
    table: {
      columns: columns ?? [],
      rows,
      from,
      total_rows: total,
      next_from: rows.length > 0 && next < total ? next : null,
    },
    fields: new Map(Object.entries(fields)),
  };
}

type DeclaredColumns = ReadonlyMap<string, Declaration['table'][string]>;

function columnOf(name: string, declared: DeclaredColumns): ResultTable['columns'][number] {
  const { title = name, about = '' } = declared.get(name) ?? {};
  return { name, title, about };
}

function valueOf(cell: string, column: Declaration['table'][string] | undefined): string | number | null {
  if (column === undefined || column.kind === 'text' || column.kind === 'genes') return csvText(cell);
  if (cell === '') return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : cell;
}
