import { H5adError } from '../h5ad-error.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';

/** The checked indptr of a sparse matrix. Throws H5adError `shape-mismatch` where it does not rise. */
export function rowPositions(file: Hdf5File, layout: MatrixLayout & { format: 'csr' | 'csc' }): Float64Array {
  const positions = Float64Array.from(file.numbers(layout.indptr));
  const last = positions.length - 1;
  let rising = positions[0] === 0 && positions[last] === layout.entryCount;
  for (let row = 0; row < last; row++) rising &&= positions[row]! <= positions[row + 1]!;
  if (rising) return positions;
  throw new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part: layout.indptr.path,
    problem: `the positions of the rows do not rise from 0 to the ${layout.entryCount} entries there are.`,
    hint: 'The file is damaged; write it again with anndata.',
  });
}

export function longestRow(positions: Float64Array): number {
  let longest = 0;
  for (let row = 0; row + 1 < positions.length; row++)
    longest = Math.max(longest, positions[row + 1]! - positions[row]!);
  return longest;
}
