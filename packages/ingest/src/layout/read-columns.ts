import { maxNameLength, rowsOf, type Column } from '@cellfolio/model';
import type { DataFrame, SkippedColumn } from '../dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import { tooLarge } from '../hdf5/failures.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { assertShortNames, longText } from './long-names.ts';

const maxTableBytes = 2 ** 31;

/** Reads the columns of a table that have `rowCount` rows. `read` returns a column, or the reason why it cannot. */
export function readColumns(
  file: Hdf5File,
  path: string,
  names: readonly string[],
  rowCount: number,
  read: (name: string) => Column | string,
): Pick<DataFrame, 'skipped'> & { columns: Map<string, Column> } {
  const columns = new Map<string, Column>();
  const skipped: SkippedColumn[] = [];
  let bytes = 0;
  for (const name of names) {
    const part = `${path}/${name}`;
    assertDeclaredRows(file, part, rowCount);
    const column = read(name);
    if (typeof column === 'string') {
      skipped.push({ column: name, reason: column });
      continue;
    }
    columns.set(name, checkedRows(file, part, column, rowCount));
    bytes += columnBytes(column);
    if (bytes > maxTableBytes) throw tooLarge(file, path, `its ${columns.size} columns and more`);
  }
  return { columns, skipped };
}

function columnBytes(column: Column): number {
  if (column.kind === 'string') return column.strings.bytes.byteLength + column.strings.offsets.byteLength;
  return column.kind === 'categorical' ? column.codes.byteLength : column.values.byteLength;
}

/** Checks the size before reading, since a column may declare any number of rows. */
function assertDeclaredRows(file: Hdf5File, part: string, rowCount: number): void {
  if (file.kind(part) !== 'dataset') return;
  const { shape } = file.dataset(part);
  if (shape.length === 1 && shape[0] !== rowCount) throw wrongRows(file, part, shape[0]!, rowCount);
}

function checkedRows(file: Hdf5File, part: string, column: Column, rowCount: number): Column {
  const rows = rowsOf(column);
  if (rows === rowCount) return column;
  throw wrongRows(file, part, rows, rowCount);
}

function wrongRows(file: Hdf5File, part: string, rows: number, rowCount: number): H5adError {
  return new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part,
    problem: `the column has ${rows} rows but the table ${rowCount}.`,
    hint: 'The file is damaged or was assembled by hand; write it again with the program that made it.',
  });
}

/** Omits columns with long names; refuses long row names, since a row cannot be omitted. */
export function withShortNames(file: Hdf5File, path: string, frame: DataFrame): DataFrame {
  const { table, skipped } = frame;
  assertShortNames(file.path, `${path}/${table.indexName}`, table.index);
  const long = [...table.columns.keys()].filter((name) => name.length > maxNameLength);
  if (long.length === 0) return frame;
  const columns = new Map(table.columns);
  for (const name of long) columns.delete(name);
  const reasons = long.map((column) => ({ column, reason: `its name has ${longText(column)}` }));
  return { ...frame, table: { ...table, columns }, skipped: [...skipped, ...reasons] };
}
