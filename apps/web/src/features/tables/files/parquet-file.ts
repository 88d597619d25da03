import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { TableColumn, TextColumn } from '../table-columns.ts';
import { namedNotes } from '@cellfolio/contract';
import type { FileContents, FileRows } from './table-file.ts';

/**
 * Strings and doubles; a missing number is null. The comment lines of a CSV become key-value metadata. Each piece is a
 * row group.
 */
export async function parquetFile({ columns, notes, pieces }: FileContents): Promise<Blob> {
  const parts: Blob[] = [];
  const writer = new ByteWriter();
  const handOver = () => {
    parts.push(new Blob([writer.getBuffer()]));
    writer.index = 0;
  };
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({
      columnData: columns.map(({ name, numbers }) => ({
        name,
        type: numbers === undefined ? 'STRING' : 'DOUBLE',
        data: [],
      })),
    }),
    kvMetadata: namedNotes(notes).map(({ name, text }) => ({ key: name, value: text })),
    createdBy: 'Cellfolio',
  });
  for await (const piece of pieces) {
    if (piece.from === piece.to) continue;
    const columnData = piece.columns.map((column) => ({ name: column.name, data: dataOf(column, piece) }));
    await file.write({ columnData, rowGroupSize: piece.to - piece.from });
    handOver();
  }
  await file.finish();
  handOver();
  return new Blob(parts, { type: 'application/vnd.apache.parquet' });
}

function dataOf(column: TableColumn, piece: FileRows) {
  return column.numbers === undefined ? textsOf(column, piece) : numbersOf(column.numbers, piece);
}

function textsOf({ codes, categories }: TextColumn, { rows, from, to }: FileRows): string[] {
  return Array.from(
    { length: to - from },
    (_, at) => categories[codes[rows?.[from + at] ?? from + at]!] ?? '',
  );
}

function numbersOf(numbers: Float64Array, { rows, from, to }: FileRows): Float64Array | (number | null)[] {
  const data = rows
    ? Float64Array.from(rows.subarray(from, to), (row) => numbers[row]!)
    : numbers.slice(from, to);
  // The statistics of a column would have NaN for its ends.
  if (!data.some((value) => Number.isNaN(value))) return data;
  return Array.from(data, (value) => (Number.isNaN(value) ? null : value));
}
