import { delimitedFile } from './files/delimited-file.ts';
import type { FormatId } from './files/table-file.ts';
import { joinedTable, type JoinedSide } from './joined-table.ts';
import { readAnswer } from './read-answer.ts';
import { firstOfGenes, type FoundRows, RowOrder, type RowQuery } from './row-order.ts';
import type { ColumnKind, TableColumn, TableColumns } from './table-columns.ts';

/** What a table is asked; `table` names it. */
export type TableQuestion =
  | {
      readonly ask: 'read';
      readonly table: number;
      /** An answer as JSON. */
      readonly file: Blob;
      /** Where it has its table as CSV. */
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

/** What comes back, by what was asked. */
export interface TableAnswers {
  /** The answer, without its CSV, and the columns that this had. */
  readonly read: { readonly answer: unknown; readonly columns: TableColumns; readonly whole: FoundRows };
  readonly join: { readonly columns: TableColumns; readonly whole: FoundRows };
  readonly rows: FoundRows;
  readonly file: Blob;
  readonly close: undefined;
}

export type AnswerTo<Question extends TableQuestion> = TableAnswers[Question['ask']];

/** Holds tables away from the page, which has their columns to draw, but neither searches, sorts nor writes them. */
export class TableHost {
  readonly #tables = new Map<number, { readonly table: TableColumns; readonly order: RowOrder }>();

  async answer<Question extends TableQuestion>(question: Question): Promise<AnswerTo<Question>> {
    return (await this.#answer(question)) as AnswerTo<Question>;
  }

  async #answer(question: TableQuestion): Promise<TableAnswers[keyof TableAnswers]> {
    switch (question.ask) {
      case 'read': {
        const { answer, columns } = await readAnswer(question.file, question.field, new Map(question.kinds));
        return { answer, columns: this.#hold(question.table, columns), whole: wholeOf(columns) };
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
        return fileOf({ ...this.#of(question.table).table, notes }, rows, format);
      }
      case 'close':
        this.#tables.delete(question.table);
        return undefined;
    }
  }

  #hold(name: number, table: TableColumns): TableColumns {
    this.#tables.set(name, { table, order: new RowOrder(table) });
    return table;
  }

  #of(name: number) {
    const held = this.#tables.get(name);
    if (held === undefined) throw new RangeError('The table is not held any more.');
    return held;
  }
}

/** The file of a table, or of some of its rows in their order. */
export async function fileOf(
  table: TableColumns,
  rows: Int32Array | undefined,
  format: FormatId,
): Promise<Blob> {
  const contents = { table, rows };
  if (format === 'csv') return delimitedFile(contents, ',');
  if (format === 'tsv') return delimitedFile(contents, '\t');
  // Loaded with the first file of their kind.
  if (format === 'xlsx') return (await import('./files/xlsx-file.ts')).xlsxFile(contents);
  return (await import('./files/parquet-file.ts')).parquetFile(contents);
}

/** All rows, as in the file. */
export function wholeOf(table: TableColumns): FoundRows {
  const rows = new Int32Array(table.rowCount);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return { rows, geneRows: firstOfGenes(table, rows) };
}

/** A copy of the columns to be handed over, and the memory that goes with it. */
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
