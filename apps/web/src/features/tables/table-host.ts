import { delimitedFile } from './files/delimited-file.ts';
import { type FileContents, type FileRows, type FormatId, heldPieces } from './files/table-file.ts';
import { joinedTable, type JoinedSide } from './joined-table.ts';
import { type AnswerFile, readAnswer, rowsOfAnswer } from './read-answer.ts';
import { firstOfGenes, type FoundRows, RowOrder, type RowQuery } from './row-order.ts';
import type { ColumnKind, TableColumn, TableColumns } from './table-columns.ts';

export type TableQuestion =
  | {
      readonly ask: 'read';
      readonly table: number;
      readonly file: Blob;
      readonly field: string;
      readonly kinds: readonly (readonly [heading: string, kind: ColumnKind])[];
    }
  | { readonly ask: 'join'; readonly table: number; readonly sides: readonly [JoinedSide, JoinedSide] }
  | { readonly ask: 'rows'; readonly table: number; readonly query: RowQuery }
  | {
      readonly ask: 'file';
      readonly table: number;
      readonly format: FormatId;
      readonly rows: Int32Array | undefined;
      readonly notes: readonly string[];
    }
  | { readonly ask: 'close'; readonly table: number };

export interface TableAnswers {
  readonly read: {
    readonly answer: unknown;
    readonly columns: TableColumns;
    readonly whole: FoundRows;
    readonly fileRows: number;
  };
  readonly join: { readonly columns: TableColumns; readonly whole: FoundRows };
  readonly rows: FoundRows;
  readonly file: Blob;
  readonly close: undefined;
}

export type AnswerTo<Question extends TableQuestion> = TableAnswers[Question['ask']];

interface HostedTable {
  readonly table: TableColumns;
  readonly order: RowOrder;
  /** Answer with all rows, set if there are more than the page holds. */
  readonly longer: { readonly answer: AnswerFile; readonly fileRows: number } | undefined;
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
