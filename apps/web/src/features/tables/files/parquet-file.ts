import { parquetWriteBuffer } from 'hyparquet-writer';
import type { TableColumn } from '../table-columns.ts';
import { namedNotes } from './named-notes.ts';
import { type FileContents, rowsIn } from './table-file.ts';

/** Texts and doubles; a missing number is null. What stands above a CSV table is key-value metadata. */
export function parquetFile(contents: FileContents): Blob {
  const { table, rows } = contents;
  const count = rowsIn(contents);
  const buffer = parquetWriteBuffer({
    columnData: table.columns.map((column) =>
      column.numbers === undefined
        ? { name: column.name, type: 'STRING' as const, data: textsOf(column, rows, count) }
        : { name: column.name, type: 'DOUBLE' as const, data: numbersOf(column.numbers, rows, count) },
    ),
    kvMetadata: namedNotes(table.notes).map(({ name, text }) => ({ key: name, value: text })),
    createdBy: 'Cellfolio',
  });
  return new Blob([buffer], { type: 'application/vnd.apache.parquet' });
}

function textsOf(
  { codes, categories }: Extract<TableColumn, { numbers?: undefined }>,
  rows: Int32Array | undefined,
  count: number,
): string[] {
  return Array.from({ length: count }, (_, at) => categories[codes[rows?.[at] ?? at]!] ?? '');
}

function numbersOf(
  numbers: Float64Array,
  rows: Int32Array | undefined,
  count: number,
): Float64Array | (number | null)[] {
  const data = rows === undefined ? numbers : Float64Array.from(rows, (row) => numbers[row]!);
  // The statistics of a column would have NaN for its ends.
  if (!data.some((value) => Number.isNaN(value))) return data;
  return Array.from({ length: count }, (_, at) => (Number.isNaN(data[at]) ? null : data[at]!));
}
