import type { PackedStrings } from '@cellfolio/model';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { readDataFrame, type DataFrame } from './data-frame.ts';
import { H5adError } from '../h5ad-error.ts';
import type { MatrixLayout } from './matrix-layout.ts';

/** The genes of the matrix taken, and the columns about them that were not imported. */
interface GeneTable extends DataFrame {
  /** Columns of the file's `var` that describe another set of genes. */
  readonly notKept: readonly string[];
}

/**
 * The table of the genes whose expression was taken. Where that is `raw` and the file's own `var` describes the
 * same genes in the same order, the columns of both are kept; those of `raw` win. Throws H5adError.
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

/** Throws `shape-mismatch` where a table has not as many rows as its matrix cells, or genes. */
export function assertRows(
  file: Hdf5File,
  { cellCount, geneCount }: MatrixLayout,
  part: string,
  rows: number,
): void {
  if (rows === (part === 'obs' ? cellCount : geneCount)) return;
  throw new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part,
    problem: `the matrix is ${cellCount} x ${geneCount}, but ${part} has ${rows} rows.`,
    hint: 'The file is damaged or was assembled by hand; write it again with anndata.',
  });
}
