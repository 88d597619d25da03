import type { PackedStrings } from '@cellfolio/model';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import type { GeneTable } from '../../dataset-file.ts';
import { readDataFrame } from './data-frame.ts';

/**
 * Gene table of the chosen expression. If that is `raw` and `var` describes the same genes in the same order, keeps the
 * columns of both; those of `raw` take precedence. Throws H5adError.
 */
export function readGeneTable(file: Hdf5File, path: string): GeneTable {
  const frame = readDataFrame(file, path, 'var');
  if (path === 'var' || file.kind('var') === undefined) return { ...frame, notKept: [] };
  const own = readDataFrame(file, 'var', 'var');
  if (!sameNames(frame.table.index, own.table.index)) {
    return { ...frame, notKept: [...own.table.columns.keys()].map((name) => `var/${name}`) };
  }
  const columns = new Map([...own.table.columns, ...frame.table.columns]);
  return {
    ...frame,
    table: { ...frame.table, columns },
    skipped: [...frame.skipped, ...own.skipped],
    notKept: [],
  };
}

export function sameNames(a: PackedStrings, b: PackedStrings): boolean {
  return a.offsets.length === b.offsets.length && Buffer.compare(a.bytes, b.bytes) === 0
    ? a.offsets.every((offset, i) => offset === b.offsets[i])
    : false;
}
