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

/** Reads a page of the rows of a CSV table that comes in pieces. */
export class TableReader {
  readonly #page: TablePage;
  readonly #declared: DeclaredColumns;
  readonly #rows: ResultTable['rows'] = [];
  #columns: ResultTable['columns'] | undefined;
  #total = 0;
  readonly #parser = parse({
    comment: '#',
    comment_no_infix: true,
    on_record: (cells: string[]) => {
      this.#take(cells);
      return undefined;
    },
  });
  readonly #ended = new Promise<void>((resolve, reject) => {
    this.#parser.once('error', reject).once('end', resolve).resume();
  });

  constructor(declared: Declaration['table'], page: TablePage) {
    this.#declared = new Map(Object.entries(declared));
    this.#page = page;
    // It is awaited when the table has been read.
    this.#ended.catch(() => undefined);
  }

  /** Records are taken as they are parsed, so that no piece waits in the parser. */
  write(piece: string): void {
    this.#parser.write(piece);
  }

  async end(): Promise<ResultTable> {
    this.#parser.end();
    await this.#ended;
    const { from } = this.#page;
    const next = from + this.#rows.length;
    return {
      columns: this.#columns ?? [],
      rows: this.#rows,
      from,
      total_rows: this.#total,
      next_from: this.#rows.length > 0 && next < this.#total ? next : null,
    };
  }

  #take(cells: readonly string[]): void {
    const columns = this.#columns;
    if (!columns) {
      this.#columns = cells.map((name) => columnOf(name, this.#declared));
      return;
    }
    const place = this.#total++;
    if (place < this.#page.from || this.#rows.length >= this.#page.count) return;
    this.#rows.push(cells.map((cell, at) => valueOf(cell, this.#declared.get(columns[at]!.name))));
  }
}

/** The fields of an answer whose first is a table, which `table` reads as it arrives. */
export async function readWithTable(
  field: string,
  body: AsyncIterable<Uint8Array>,
  table: TableReader,
): Promise<ReadonlyMap<string, unknown>> {
  return new Map(Object.entries(await splitAnswer(body, field, (piece) => table.write(piece))));
}

/** The answer of an analysis: a page of its table, and its other fields. */
export async function readAnalysis(
  declaration: Declaration,
  body: AsyncIterable<Uint8Array>,
  page: TablePage,
): Promise<{ table: ResultTable; fields: ReadonlyMap<string, unknown> }> {
  const table = new TableReader(declaration.table, page);
  const fields = await readWithTable(`${answerFields(declaration).table}_csv`, body, table);
  return { table: await table.end(), fields };
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
