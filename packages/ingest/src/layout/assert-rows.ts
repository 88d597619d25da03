import { H5adError } from '../h5ad-error.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from './matrix-layout.ts';

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
