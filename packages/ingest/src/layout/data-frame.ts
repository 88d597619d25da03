import { maxNameLength, rowsOf, type Column, type Table } from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import { tooLarge } from '../hdf5/declared-size.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { assertShortNames, longText } from './long-names.ts';
import { compoundTable, type SkippedColumn } from './compound-table.ts';
import { noNames, readColumn, rowNames } from './read-column.ts';

/** A data frame of the file, and what of it could not be carried over. */
export interface DataFrame {
  readonly table: Table;
  /** How it is stored: current encoding, categories beside the columns (0.6 to 0.7), or one compound table. */
  readonly era: 'current' | 'separate-categories' | 'compound';
  readonly skipped: readonly SkippedColumn[];
}

/** A table is held in memory. */
const MOST_TABLE_BYTES = 2 ** 31;
const INDEX_NAMES = ['_index', 'index', 'cell_id', 'barcode', 'gene_id'];

/** Reads `obs`, `var`, `raw/var` or `raw.var`, whatever the age of the file. Throws H5adError. */
export function readDataFrame(file: Hdf5File, path: string, what: 'obs' | 'var'): DataFrame {
  switch (file.kind(path)) {
    case 'dataset':
      return checkedNames(file, path, { ...compoundTable(file, path, what), era: 'compound' });
    case 'group':
      return checkedNames(file, path, groupFrame(file, path, what));
    case undefined:
      throw noNames(file, path, what, `the file has no ${path}.`);
  }
}

/** Columns of long names are left out; long names of rows are refused, as a row cannot be. */
function checkedNames(file: Hdf5File, path: string, frame: DataFrame): DataFrame {
  const { table, skipped } = frame;
  assertShortNames(file.path, `${path}/${table.indexName}`, table.index);
  const long = [...table.columns.keys()].filter((name) => name.length > maxNameLength);
  if (long.length === 0) return frame;
  const columns = new Map(table.columns);
  for (const name of long) columns.delete(name);
  const reasons = long.map((column) => ({ column, reason: `its name has ${longText(column)}` }));
  return { ...frame, table: { ...table, columns }, skipped: [...skipped, ...reasons] };
}

/** Number of rows without reading any. */
export function frameRows(file: Hdf5File, path: string, what: 'obs' | 'var'): number {
  const kind = file.kind(path);
  if (kind === undefined) throw noNames(file, path, what, `the file has no ${path}.`);
  if (kind === 'dataset') return file.dataset(path).shape[0] ?? 0;
  return file.dataset(`${path}/${indexName(file, path, what)}`).shape[0] ?? 0;
}

function groupFrame(file: Hdf5File, path: string, what: 'obs' | 'var'): DataFrame {
  const name = indexName(file, path, what);
  const index = rowNames(file, `${path}/${name}`, what);
  const rowCount = index.offsets.length - 1;
  const columns = new Map<string, Column>();
  const skipped: { column: string; reason: string }[] = [];
  const separate = file.kind(`${path}/__categories`) === 'group';
  let bytes = 0;
  for (const column of columnOrder(file, path, name)) {
    assertDeclaredRows(file, `${path}/${column}`, rowCount);
    const read = readColumn(
      file,
      `${path}/${column}`,
      separate ? `${path}/__categories/${column}` : undefined,
    );
    if (typeof read === 'string') skipped.push({ column, reason: read });
    else columns.set(column, checkedRows(file, `${path}/${column}`, read, rowCount));
    if (typeof read !== 'string') bytes += columnBytes(read);
    if (bytes > MOST_TABLE_BYTES) throw tooLarge(file, path, `its ${columns.size} columns and more`);
  }
  const table = { rowCount, indexName: name, index, columns };
  return { table, era: separate ? 'separate-categories' : 'current', skipped };
}

function columnBytes(column: Column): number {
  if (column.kind === 'string') return column.strings.bytes.byteLength + column.strings.offsets.byteLength;
  return column.kind === 'categorical' ? column.codes.byteLength : column.values.byteLength;
}

/** Where the row names of a table lie. Throws H5adError. */
export function indexName(file: Hdf5File, path: string, what: 'obs' | 'var'): string {
  const named = file.text(path, '_index');
  for (const name of named === undefined ? INDEX_NAMES : [named]) {
    if (file.kind(`${path}/${name}`) === 'dataset') return name;
    // A categorical index is a group of codes and categories.
    if (file.kind(`${path}/${name}/codes`) === 'dataset') return name;
  }
  throw noNames(
    file,
    path,
    what,
    named === undefined ? 'it has no index.' : `its index '${named}' is missing.`,
  );
}

/** Its columns, in the order that the table says. */
export function columnOrder(file: Hdf5File, path: string, index: string): string[] {
  const present = file.children(path).filter((name) => name !== index && name !== '__categories');
  const order = file.attribute(path, 'column-order');
  if (!Array.isArray(order)) return present;
  const listed = (order as string[]).filter((name) => present.includes(name));
  return [...listed, ...present.filter((name) => !listed.includes(name))];
}

/** Before it is read: a column may declare any number of rows. */
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
    hint: 'The file is damaged or was assembled by hand; write it again with anndata.',
  });
}
