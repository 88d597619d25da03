import { maxNameLength, rowsOf, type Column, type Table, type PackedStrings } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import { tooLarge } from '../../hdf5/failures.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import type { DataFrame, SkippedColumn } from '../dataset-file.ts';
import { assertShortNames, longText } from '../../layout/long-names.ts';
import {
  noNames,
  readColumn,
  rowNames,
  categoricalColumn,
  decimalStrings,
  numberColumn,
  readCategories,
} from '../../layout/read-column.ts';
import { decodeNumbers, StringPacker, type Elements } from '../../hdf5/decode-elements.ts';
import type { CompoundMember, DatasetInfo } from '../../hdf5/element-type.ts';

/** A table is held in memory. */
const maxTableBytes = 2 ** 31;
const indexNames = ['_index', 'index', 'cell_id', 'barcode', 'gene_id'];

/** Reads `obs`, `var`, `raw/var` or `raw.var`, of any version of the format. Throws H5adError. */
export function readDataFrame(file: Hdf5File, path: string, what: 'obs' | 'var'): DataFrame {
  switch (file.kind(path)) {
    case 'dataset':
      return checkedNames(file, path, {
        ...compoundTable(file, path, what),
        stored: 'as records, as anndata before 0.7 wrote them',
      });
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
    if (bytes > maxTableBytes) throw tooLarge(file, path, `its ${columns.size} columns and more`);
  }
  const table = { rowCount, indexName: name, index, columns };
  const stored = separate
    ? 'with separate categories, as anndata 0.7 wrote them'
    : 'as anndata writes them today';
  return { table, stored, skipped };
}

function columnBytes(column: Column): number {
  if (column.kind === 'string') return column.strings.bytes.byteLength + column.strings.offsets.byteLength;
  return column.kind === 'categorical' ? column.codes.byteLength : column.values.byteLength;
}

/** Where the row names of a table lie. Throws H5adError. */
export function indexName(file: Hdf5File, path: string, what: 'obs' | 'var'): string {
  const named = file.text(path, '_index');
  for (const name of named === undefined ? indexNames : [named]) {
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

const sliceRows = 16_384;

/**
 * `obs` or `var` as anndata before 0.7 wrote it: one compound dataset with a field a column, row names in
 * the field `index`, and the labels of categorical columns in `uns/<column>_categories`.
 */
function compoundTable(
  file: Hdf5File,
  path: string,
  what: 'obs' | 'var',
): { table: Table; skipped: SkippedColumn[] } {
  const info = file.dataset(path);
  const members = info.type.kind === 'compound' ? info.type.members : [];
  const indexMember =
    ['index', '_index']
      .map((name) => members.find((member) => member.name === name))
      .find((found) => found !== undefined) ?? members.find((member) => member.type.kind === 'string');
  if (indexMember === undefined || info.shape.length !== 1) {
    throw noNames(file, path, what, "the table has no field 'index' with row names.");
  }
  const columns = new Map<string, Column>();
  const skipped: { column: string; reason: string }[] = [];
  for (const member of members) {
    if (member === indexMember) continue;
    const column = compoundColumn(file, info, member);
    if (column === undefined)
      skipped.push({ column: member.name, reason: `its values are of type ${member.type.kind}` });
    else columns.set(member.name, column);
  }
  const rowCount = info.shape[0]!;
  const index = memberNames(file, info, indexMember, what);
  return { table: { rowCount, indexName: indexMember.name, index, columns }, skipped };
}

function memberNames(
  file: Hdf5File,
  info: DatasetInfo,
  member: CompoundMember,
  what: 'obs' | 'var',
): PackedStrings {
  const column = readMember(file, info, member);
  if (column?.kind === 'string') return column.strings;
  if (column?.kind === 'numeric' || column?.kind === 'wide-integer') return decimalStrings(column);
  throw noNames(file, info.path, what, 'its row names are neither text nor numbers.');
}

function compoundColumn(file: Hdf5File, info: DatasetInfo, member: CompoundMember): Column | undefined {
  const column = readMember(file, info, member);
  const labels = `uns/${member.name}_categories`;
  if (column?.kind !== 'numeric' || file.kind(labels) !== 'dataset') return column;
  const categories = readCategories(file, labels);
  if (typeof categories === 'string') return column;
  return categoricalColumn(file, `${info.path}/${member.name}`, column.values, categories, false);
}

function readMember(file: Hdf5File, info: DatasetInfo, member: CompoundMember): Column | undefined {
  const rows = info.shape[0]!;
  const { type, offset } = member;
  const eachSlice = (use: (elements: Elements, row: number, memory: Uint8Array) => void) => {
    for (let row = 0; row < rows; row += sliceRows) {
      file.read(info, { start: [row], count: [Math.min(sliceRows, rows - row)] }, (elements, memory) =>
        use({ ...elements, offset: elements.offset + offset }, row, memory),
      );
    }
  };
  if (type.kind === 'string') {
    const packer = new StringPacker(rows);
    eachSlice((elements, _, memory) => packer.add(elements, type, memory));
    return { kind: 'string', strings: packer.strings() };
  }
  if (type.kind === 'number') return numberColumn(type, rows, eachSlice);
  if (type.kind !== 'boolean') return undefined;
  const values = new Uint8Array(rows);
  eachSlice((elements, row) => decodeNumbers(elements, type, values, row));
  return { kind: 'boolean', values };
}
