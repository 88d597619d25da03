import type { Column, PackedStrings, Table } from '@cellfolio/model';
import { decodeNumbers, StringPacker, type Elements } from '../hdf5/decode-elements.ts';
import type { CompoundMember } from '../hdf5/element-type.ts';
import type { DatasetInfo, Hdf5File } from '../hdf5/hdf5-file.ts';
import { categoricalColumn } from './categorical-column.ts';
import { decimalStrings } from './decimal-strings.ts';
import { numberColumn } from './number-column.ts';
import { noNames, readCategories } from './read-column.ts';

const SLICE_ROWS = 16_384;

/** A column that was not carried over, and why. */
export interface SkippedColumn {
  readonly column: string;
  readonly reason: string;
}

/**
 * `obs` or `var` as anndata before 0.7 wrote it: one compound dataset with a field a column, row names in
 * the field `index`, and the labels of categorical columns in `uns/<column>_categories`.
 */
export function compoundTable(
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
  const index = rowNames(file, info, indexMember, what);
  return { table: { rowCount, indexName: indexMember.name, index, columns }, skipped };
}

function rowNames(
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
    for (let row = 0; row < rows; row += SLICE_ROWS) {
      file.read(info, { start: [row], count: [Math.min(SLICE_ROWS, rows - row)] }, (elements, memory) =>
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
