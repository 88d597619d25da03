import { csvComments, namedNotes } from '@cellfolio/contract';
import type { SchemaElement } from 'hyparquet-writer';
import type { Column } from '@cellfolio/model';
import type { Compute, TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import type { CellsAndColumns, WrittenCells } from './cell-columns.ts';
import { parquetSchema, parquetWriter } from './cell-groups.ts';
import type { CellGroupTask } from './cell-groups.ts';
import type { CellLinesTask } from './cell-lines.ts';

export type CellFormat = 'csv' | 'parquet';

export interface CellFileContent {
  cells: CellsAndColumns;
  names: readonly string[];
  /** The columns with no cells, for their types. */
  columns: readonly Column[];
  notes: readonly string[];
}

export interface CellFile {
  contentType: string;
  head: Uint8Array;
  /** Values per piece: a tenth to a third of a second of work, so that other callers' figures come in between. */
  valuesPerPiece: number;
  write: (range: { from: number; to: number }, caller: TaskCaller) => Promise<WrittenCells>;
  foot: () => Uint8Array;
}

const none = new Uint8Array(0);

export const cellFiles: Readonly<
  Record<CellFormat, (compute: Compute, content: CellFileContent) => CellFile>
> = {
  csv: (compute, { cells, names, notes }) => ({
    contentType: 'text/csv; charset=utf-8',
    head: new TextEncoder().encode(csvComments(notes) + csvLine(names)),
    valuesPerPiece: 1 << 19,
    write: (range, caller) =>
      compute.run<CellLinesTask>({ kind: 'cell-lines', isLong: true, ...cells, ...range }, caller),
    foot: () => none,
  }),
  parquet: (compute, { cells, names, columns, notes }) => {
    const schema: readonly SchemaElement[] = parquetSchema(names, columns);
    const named = namedNotes(notes).map(({ name, text }) => ({ key: name, value: text }));
    const { file, writer } = parquetWriter(schema, named);
    const head = writer.getBytes().slice();
    return {
      contentType: 'application/vnd.apache.parquet',
      head,
      // The end of the file lists every column of every piece: fewer pieces.
      valuesPerPiece: 1 << 21,
      write: async (range, caller) => {
        const { offset: at } = writer;
        const task: CellGroupTask = { kind: 'cell-group', isLong: true, ...cells, ...range, schema, at };
        const { group, ...written } = await compute.run(task, caller);
        writer.offset += written.bytes.length;
        file.num_rows += BigInt(written.lines);
        if (group) file.row_groups.push(group);
        return written;
      },
      foot: () => {
        writer.index = 0;
        void file.finish();
        return writer.getBytes();
      },
    };
  },
};
