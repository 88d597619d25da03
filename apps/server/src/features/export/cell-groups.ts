import {
  type CategoricalColumn,
  type CellMask,
  type Column,
  type NumericType,
  stringAt,
} from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { taskKind } from '../../runtime/compute/task.ts';
import { cellColumns, type CellColumnsTask, maxPieceBytes, type WrittenCells } from './cell-columns.ts';

/** A row group of a Parquet file: the chosen cells of [from, to). */
export interface CellGroupTask extends CellColumnsTask<CellGroup> {
  kind: 'cell-group';
  schema: readonly SchemaElement[];
  /** Offset in the file. */
  at: number;
}

export interface CellGroup extends WrittenCells {
  /** Entry for the footer of the file; undefined when no cell is chosen. */
  group: ParquetWriter['row_groups'][number] | undefined;
}

const noStatistics = { statistics: false, createdBy: 'Cellfolio' };

/** A writer for the schema; of a column only its type is read. */
export function parquetWriter(
  schema: readonly SchemaElement[],
  notes: readonly { key: string; value: string }[] = [],
): { file: ParquetWriter; writer: ByteWriter } {
  const writer = new ByteWriter();
  // Least and largest values of thousands of columns in hundreds of groups would be the most of a file's end.
  const file = new ParquetWriter({ writer, schema: [...schema], kvMetadata: [...notes], ...noStatistics });
  return { file, writer };
}

/** The schema of a table; of columns only their types and categories are read. */
export function parquetSchema(names: readonly string[], columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'cells', num_children: columns.length },
    ...columns.map((column, at): SchemaElement => ({
      name: names[at]!,
      repetition_type: 'OPTIONAL',
      ...typeOf(column),
    })),
  ];
}

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type'>;

const text: ParquetType = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const numericTypes: Readonly<Record<NumericType, ParquetType>> = {
  int8: { type: 'INT32', converted_type: 'INT_8' },
  int16: { type: 'INT32', converted_type: 'INT_16' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint8: { type: 'INT32', converted_type: 'UINT_8' },
  uint16: { type: 'INT32', converted_type: 'UINT_16' },
  // The writer takes no number from 2^31 on as a 32-bit one.
  uint32: { type: 'INT64' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  float32: { type: 'FLOAT' },
  float64: { type: 'DOUBLE' },
};

function typeOf(column: Column): ParquetType {
  if (column.kind === 'string') return text;
  if (column.kind === 'boolean') return { type: 'BOOLEAN' };
  if (column.kind !== 'categorical') return numericTypes[column.dtype];
  return areNumbers(column) ? { type: 'DOUBLE' } : text;
}

/** Whether the categories were numbers in the file; they are then written as numbers. */
function areNumbers({ categories, categoryType }: CategoricalColumn): boolean {
  if (categoryType === 'string' || categoryType === 'boolean') return false;
  return categories.every((label) => Number.isFinite(Number(label)));
}

/** Rows of a piece, by the cells of its task. Ends at 16 MiB of text, or after the one cell that has more. */
function rowsOf(
  { from, to, mask }: { from: number; to: number; mask: CellMask | undefined },
  columns: readonly Column[],
  maxBytes: number,
): { rows: Int32Array; next: number } {
  const texts = columns.flatMap((column) => (column.kind === 'string' ? column.strings.offsets : []));
  const rows = new Int32Array(to - from);
  let [count, bytes, next] = [0, 0, from];
  for (; next < to && (count === 0 || bytes < maxBytes); next++) {
    if (mask && mask.bits[next] === 0) continue;
    const row = next - from;
    rows[count++] = row;
    for (const offsets of texts) bytes += offsets[row + 1]! - offsets[row]!;
  }
  return { rows: rows.subarray(0, count), next };
}

export async function cellGroup(
  task: CellGroupTask,
  dataset: Dataset,
  signal: AbortSignal,
  maxBytes = maxPieceBytes,
): Promise<CellGroup> {
  const columns = await cellColumns(task, dataset, signal);
  const { rows, next } = rowsOf(task, columns, maxBytes);
  if (rows.length === 0) return { bytes: new Uint8Array(0), lines: 0, next, group: undefined };
  const { file, writer } = parquetWriter(task.schema);
  // What it wrote so far is the head of a file; this is a part of one that goes on at `at`.
  writer.index = 0;
  writer.offset = task.at;
  const columnData = columns.map((column, at): ColumnSource => ({
    name: task.schema[at + 1]!.name,
    offsetIndex: false,
    data: valuesOf(column, rows),
  }));
  // Categories lie in a dictionary, whatever the writer would have guessed.
  for (const [at, column] of columns.entries())
    if (column.kind === 'categorical') columnData[at]!.encoding = 'RLE_DICTIONARY';
  await file.write({ columnData, rowGroupSize: rows.length });
  return { bytes: writer.getBytes().slice(), lines: rows.length, next, group: file.row_groups[0] };
}

/** Missing values and NaN become null. */
function valuesOf(column: Column, rows: Int32Array): ColumnSource['data'] {
  if (column.kind === 'categorical') {
    const { codes, categories } = column;
    const labels = areNumbers(column) ? categories.map(Number) : categories;
    return Array.from(rows, (row) => labels[codes[row]!] ?? null);
  }
  const { missing } = column;
  const valueAt = valueReader(column);
  return Array.from(rows, (row) => (missing?.[row] === 1 ? null : valueAt(row)));
}

function valueReader(column: Exclude<Column, CategoricalColumn>): (row: number) => unknown {
  switch (column.kind) {
    case 'string':
      return (row) => stringAt(column.strings, row);
    case 'boolean':
      return (row) => column.values[row] === 1;
    case 'wide-integer':
      return (row) => column.values[row]!;
    case 'numeric': {
      const { values, dtype } = column;
      if (numericTypes[dtype].type === 'INT64') return (row) => BigInt(values[row]!);
      return (row) => (Number.isNaN(values[row]!) ? null : values[row]!);
    }
  }
}

export const cellGroupTasks = [
  taskKind<CellGroupTask>('cell-group', (task, { dataset, signal }) => cellGroup(task, dataset, signal)),
];
