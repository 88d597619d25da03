import type { Column, Table, PackedStrings } from '@cellfolio/model';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import type { DataFrame, SkippedColumn } from '../../dataset-file.ts';
import { readColumns, withShortNames } from '../../layout/read-columns.ts';
import {
  noNames,
  readColumn,
  rowNames,
  categoricalColumn,
  decimalStrings,
  readCategories,
} from '../../layout/read-column.ts';
import { readMember } from '../../layout/read-member.ts';
import type { CompoundMember, DatasetInfo } from '../../hdf5/element-type.ts';

const indexNames = ['_index', 'index', 'cell_id', 'barcode', 'gene_id'];

/** Reads `obs`, `var`, `raw/var` or `raw.var`, of any version of the format. Throws H5adError. */
export function readDataFrame(file: Hdf5File, path: string, what: 'obs' | 'var'): DataFrame {
  switch (file.kind(path)) {
    case 'dataset':
      return withShortNames(file, path, {
        ...compoundTable(file, path, what),
        stored: 'as records, as anndata before 0.7 wrote them',
      });
    case 'group':
      return withShortNames(file, path, groupFrame(file, path, what));
    case undefined:
      throw noNames(file, path, what, `the file has no ${path}.`);
  }
}

function groupFrame(file: Hdf5File, path: string, what: 'obs' | 'var'): DataFrame {
  const name = indexName(file, path, what);
  const index = rowNames(file, `${path}/${name}`, what);
  const rowCount = index.offsets.length - 1;
  const separate = file.kind(`${path}/__categories`) === 'group';
  const { columns, skipped } = readColumns(file, path, columnOrder(file, path, name), rowCount, (column) =>
    readColumn(file, `${path}/${column}`, separate ? `${path}/__categories/${column}` : undefined),
  );
  const table = { rowCount, indexName: name, index, columns };
  const stored = separate
    ? 'with separate categories, as anndata 0.7 wrote them'
    : 'as anndata writes them today';
  return { table, stored, skipped };
}

/** Path of a table's row names. Throws H5adError. */
export function indexName(file: Hdf5File, path: string, what: 'obs' | 'var'): string {
  const named = file.text(path, '_index');
  // Since pandas 3 it is a group as a rule: of values and a mask, or of codes and categories.
  for (const name of named === undefined ? indexNames : [named])
    if (file.kind(`${path}/${name}`) !== undefined) return name;
  throw noNames(
    file,
    path,
    what,
    named === undefined ? 'it has no index.' : `its index '${named}' is missing.`,
  );
}

export function columnOrder(file: Hdf5File, path: string, index: string): string[] {
  const present = file.children(path).filter((name) => name !== index && name !== '__categories');
  const order = file.attribute(path, 'column-order');
  if (!Array.isArray(order)) return present;
  const there = new Set(present);
  // Once each, however often the table says a name.
  const listed = [...new Set(order as string[])].filter(
    (name) => there.has(name) || (name.includes('/') && file.kind(`${path}/${name}`) !== undefined),
  );
  // Before anndata refused slashes they made groups, which are no columns themselves.
  const groups = new Set(listed.map((name) => name.split('/')[0]!));
  const listedNames = new Set(listed);
  return [...listed, ...present.filter((name) => !listedNames.has(name) && !groups.has(name))];
}

/**
 * `obs` or `var` as written by anndata before 0.7: one compound dataset with a field per column, row names in the field
 * `index`, and categorical labels in `uns/<column>_categories`.
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
      .find((candidate) => candidate !== undefined) ??
    members.find((member) => member.type.kind === 'string');
  if (indexMember === undefined || info.shape.length !== 1) {
    throw noNames(file, path, what, "the table has no field 'index' with row names.");
  }
  const columns = new Map<string, Column>();
  const skipped: { column: string; reason: string }[] = [];
  for (const member of members) {
    if (member === indexMember) continue;
    // Names that are not UTF-8 may be equal once they are decoded.
    const column = columns.has(member.name)
      ? 'another column has its name'
      : (compoundColumn(file, info, member) ?? `its values are of type ${member.type.kind}`);
    if (typeof column === 'string') skipped.push({ column: member.name, reason: column });
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
