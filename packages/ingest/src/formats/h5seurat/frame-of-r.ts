import type { Column } from '@cellfolio/model';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { categoricalColumn, readCategories, readColumn } from '../../layout/read-column.ts';
import { readColumns } from '../../layout/read-columns.ts';
import { readMember } from '../../layout/read-member.ts';
import type { SkippedColumn } from '../../dataset-file.ts';

const naInteger = -(2 ** 31);

export interface FrameOfR {
  readonly columns: Map<string, Column>;
  readonly skipped: readonly SkippedColumn[];
}

/**
 * Columns of an R data frame of `rowCount` rows, which is a group of columns or one compound dataset. Throws H5adError.
 */
export function frameOfR(file: Hdf5File, path: string, rowCount: number): FrameOfR {
  switch (file.kind(path)) {
    case 'group': {
      const index = file.text(path, '_index') ?? 'row.names';
      const present = file.children(path).filter((name) => name !== index);
      const listed = texts(file, path, 'colnames').filter((name) => present.includes(name));
      const names = [...new Set([...listed, ...present])];
      return readColumns(file, path, names, rowCount, (name) => columnOfFrame(file, path, name));
    }
    case 'dataset': {
      const { type } = file.dataset(path);
      const names = type.kind === 'compound' ? type.members.map(({ name }) => name) : [];
      return readColumns(file, path, names, rowCount, (name) => columnOfFrame(file, path, name));
    }
    case undefined:
      return { columns: new Map(), skipped: [] };
  }
}

export function columnOfFrame(file: Hdf5File, path: string, name: string): Column | string {
  const part = `${path}/${name}`;
  const isLogical = texts(file, path, 'logicals').includes(name);
  if (file.kind(path) === 'dataset') {
    const info = file.dataset(path);
    const member =
      info.type.kind === 'compound' ? info.type.members.find((one) => one.name === name) : undefined;
    const column = member && readMember(file, info, member);
    return column === undefined ? `its values are of type ${member?.type.kind}` : ofR(column, isLogical);
  }
  if (file.kind(`${part}/levels`) !== undefined && file.kind(`${part}/values`) === 'dataset')
    return factor(file, part);
  const column = readColumn(file, part, undefined);
  return typeof column === 'string'
    ? column
    : ofR(column, isLogical || file.text(part, 's3class') === 'logical');
}

/** 1-based codes and their labels. */
export function factor(file: Hdf5File, path: string): Column | string {
  const levels = readCategories(file, `${path}/levels`);
  if (typeof levels === 'string') return levels;
  const codes = Int32Array.from(file.numbers(file.dataset(`${path}/values`)), (value) =>
    value < 1 ? -1 : value - 1,
  );
  return categoricalColumn(file, path, codes, levels, false);
}

/** Converts R's missing integers, and logicals stored as 0, 1 and 2 for FALSE, TRUE and NA. */
function ofR(column: Column, isLogical: boolean): Column {
  if (column.kind !== 'numeric' || (!isLogical && column.dtype !== 'int32')) return column;
  const { values } = column;
  if (!isLogical)
    return values.includes(naInteger) ? { ...column, missing: where(values, naInteger) } : column;
  const isMissing = Uint8Array.from(values, (value) => (value === 0 || value === 1 ? 0 : 1));
  return {
    kind: 'boolean',
    values: Uint8Array.from(values, (value) => (value === 1 ? 1 : 0)),
    ...(isMissing.includes(1) && { missing: isMissing }),
  };
}

function where(values: ArrayLike<number>, target: number): Uint8Array {
  return Uint8Array.from(values, (value) => (value === target ? 1 : 0));
}

function texts(file: Hdf5File, path: string, attribute: string): readonly string[] {
  const value = file.attribute(path, attribute);
  return typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : [];
}
