import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import type { GeneMajorMatrix, ReadOptions } from './gene-major-matrix.ts';
import { RereadMatrix } from './reread-matrix.ts';
import { TransposedMatrix } from './transpose-matrix.ts';

/** Reads a matrix in the way that suits it. Throws H5adError, NotCounts or the reason of the signal. */
export async function readMatrix(
  file: Hdf5File,
  layout: MatrixLayout,
  options: ReadOptions,
): Promise<GeneMajorMatrix> {
  return (
    (await RereadMatrix.read(file, layout, options)) ?? (await TransposedMatrix.read(file, layout, options))
  );
}
