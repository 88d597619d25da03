import { csvCell, csvComments } from '@cellfolio/contract';
import {
  type FileContents,
  type FileRows,
  type FormatId,
  heldPieces,
  rowWriter,
} from './files/table-file.ts';
import { joinedTable, type JoinedSide } from './joined-table.ts';
import { type AnswerFile, readAnswer, rowsOfAnswer } from './read-answer.ts';
import { firstOfGenes, type FoundRows, RowOrder, type RowQuery } from './row-order.ts';
import { type ColumnKind, type TableColumn, type TableColumns, textAt } from './table-columns.ts';

export type TableQuestion =
  | {
      ask: 'read';
      table: number;
      file: Blob;
      field: string;
      kinds: readonly (readonly [heading: string, kind: ColumnKind])[];
    }
  | { ask: 'join'; table: number; sides: readonly [JoinedSide, JoinedSide] }
  | { ask: 'rows'; table: number; query: RowQuery }
  | {
      ask: 'file';
      table: number;
      format: FormatId;
      rows: Int32Array | undefined;
      notes: readonly string[];
    }
  | { ask: 'close'; table: number };

export interface TableAnswers {
  read: {
    answer: unknown;
    columns: TableColumns;
    whole: FoundRows;
    fileRows: number;
  };
  join: { columns: TableColumns; whole: FoundRows };
  rows: FoundRows;
  file: Blob;
  close: undefined;
}

export type AnswerTo<Question extends TableQuestion> = TableAnswers[Question['ask']];

interface HostedTable {
  table: TableColumns;
  order: RowOrder;
  /** Answer with all rows, set if there are more than the page holds. */
  longer: { answer: AnswerFile; fileRows: number } | undefined;
}

/** Worker-side tables: the page has the columns to draw but does not search, sort or write them. */
export class TableHost {
  readonly #tables = new Map<number, HostedTable>();
  readonly #maxRows: number | undefined;

  constructor(maxRows?: number) {
    this.#maxRows = maxRows;
  }

  async answer<Question extends TableQuestion>(question: Question): Promise<AnswerTo<Question>> {
    return (await this.#answer(question)) as AnswerTo<Question>;
  }

  async #answer(question: TableQuestion): Promise<TableAnswers[keyof TableAnswers]> {
    switch (question.ask) {
      case 'read': {
        const { table, file, field, kinds } = question;
        const from = { file, field, kinds: new Map(kinds) };
        const { answer, columns, fileRows } = await readAnswer(from, { maxRows: this.#maxRows });
        const longer = fileRows > columns.rowCount ? { answer: from, fileRows } : undefined;
        return { answer, columns: this.#hold(table, columns, longer), whole: wholeOf(columns), fileRows };
      }
      case 'join': {
        const [one, other] = question.sides;
        const tables = [this.#of(one.table).table, this.#of(other.table).table] as const;
        const columns = this.#hold(question.table, joinedTable(tables, question.sides));
        return { columns, whole: wholeOf(columns) };
      }
      case 'rows':
        return this.#of(question.table).order.find(question.query);
      case 'file': {
        const { format, rows, notes } = question;
        const { table, longer } = this.#of(question.table);
        if (rows !== undefined || longer === undefined) return fileOf({ ...table, notes }, rows, format);
        const { answer, fileRows: rowCount } = longer;
        return writtenFile({ columns: table.columns, notes, rowCount, pieces: allRows(answer) }, format);
      }
      case 'close':
        this.#tables.delete(question.table);
        return undefined;
    }
  }

  #hold(name: number, table: TableColumns, longer?: HostedTable['longer']): TableColumns {
    this.#tables.set(name, { table, order: new RowOrder(table), longer });
    return table;
  }

  #of(name: number) {
    const table = this.#tables.get(name);
    if (table === undefined) throw new RangeError('The table is no longer available.');
    return table;
  }
}

export function fileOf(table: TableColumns, rows: Int32Array | undefined, format: FormatId): Promise<Blob> {
  const { columns, notes } = table;
  const rowCount = rows?.length ?? table.rowCount;
  return writtenFile({ columns, notes, rowCount, pieces: heldPieces(table, rows) }, format);
}

async function* allRows(answer: AnswerFile): AsyncGenerator<FileRows> {
  for await (const { columns, rowCount } of rowsOfAnswer(answer)) yield { columns, from: 0, to: rowCount };
}

async function writtenFile(contents: FileContents, format: FormatId): Promise<Blob> {
  if (format === 'csv') return delimitedFile(contents, ',');
  if (format === 'tsv') return delimitedFile(contents, '\t');
  // Loaded with the first file of their kind.
  if (format === 'xlsx') return (await import('./files/xlsx-file.ts')).xlsxFile(contents);
  return (await import('./files/parquet-file.ts')).parquetFile(contents);
}

export function wholeOf(table: TableColumns): FoundRows {
  const rows = new Int32Array(table.rowCount);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return { rows, geneRows: firstOfGenes(table, rows) };
}

/** A copy of the columns for transfer, with its buffers. */
export function copied(table: TableColumns): { table: TableColumns; memory: ArrayBuffer[] } {
  const memory: ArrayBuffer[] = [];
  const columns = table.columns.map((column): TableColumn => {
    if (column.numbers === undefined) {
      const codes = column.codes.slice();
      memory.push(codes.buffer);
      return { ...column, codes };
    }
    const numbers = column.numbers.slice();
    memory.push(numbers.buffer);
    return { ...column, numbers };
  });
  return { table: { ...table, columns }, memory };
}

/**
 * CSV or TSV below comment lines, as the server writes CSV. The full table is the file received from the server, not
 * written here.
 */
async function delimitedFile({ columns, notes, pieces }: FileContents, separator: ',' | '\t'): Promise<Blob> {
  const head = columns.map(({ name }) => csvCell(name, separator)).join(separator);
  // Each piece is handed to the browser, which has room for files that memory has not.
  const parts = [new Blob([`${csvComments(notes)}${head}\n`])];
  const linesOf = rowWriter(
    // A text is escaped once, however many rows have it.
    (column) =>
      column.numbers === undefined ? column.categories.map((text) => csvCell(text, separator)) : [],
    (of, escaped, row) => {
      let line = '';
      for (let place = 0; place < of.length; place++) {
        const column = of[place]!;
        if (place > 0) line += separator;
        line +=
          column.numbers === undefined ? (escaped[place]![column.codes[row]!] ?? '') : textAt(column, row);
      }
      return `${line}\n`;
    },
  );
  for await (const piece of pieces) parts.push(new Blob([linesOf(piece)]));
  const type = separator === ',' ? 'text/csv' : 'text/tab-separated-values';
  return new Blob(parts, { type: `${type};charset=utf-8` });
}
