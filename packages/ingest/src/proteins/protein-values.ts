import type { DatasetAdditions } from '../additions.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { readCandidate, type ReadWork } from '../read-candidate.ts';
import type { GeneMajorMatrix } from '../transpose/gene-major-matrix.ts';
import { type ProteinMatrix, isColumns } from './find-proteins.ts';

/** Receives the values of one protein in all kept cells; the array is valid only during the call. */
export type UseProtein = (protein: number, values: Float64Array) => Promise<void> | void;

/** Values protein by protein; can be iterated repeatedly. */
export interface ProteinValues {
  /** Number of values per protein. */
  readonly cells: number;
  each(use: UseProtein): Promise<void>;
  close(): Promise<void>;
}

/** Throws H5adError or the signal's reason. */
export async function openProteinValues(
  work: ReadWork,
  { values, names }: ProteinMatrix,
): Promise<ProteinValues> {
  const { file, additions, signal } = work;
  const all = isColumns(values) ? values[0]!.shape[0]! : values.layout.cellCount;
  const cells = additions.keptCells?.length ?? all;
  if (isColumns(values)) {
    return {
      cells,
      each: (use) =>
        eachColumn(file, values, additions.keptCells, async (protein, column) => {
          signal?.throwIfAborted();
          await use(protein, column);
        }),
      close: () => Promise.resolve(),
    };
  }
  // The reading of the genes was told as progress; a few hundred features more are not worth another bar.
  const matrix = await readCandidate({ ...work, onProgress: () => undefined }, values, false);
  return {
    cells,
    each: (use) => eachOfMatrix(matrix, { cells, proteins: names.length, signal }, use),
    close: () => matrix.close(),
  };
}

async function eachColumn(
  file: Hdf5File,
  columns: readonly DatasetInfo[],
  keptCells: DatasetAdditions['keptCells'],
  use: UseProtein,
): Promise<void> {
  for (const [protein, info] of columns.entries()) {
    const values = new Float64Array(info.shape[0]!);
    file.eachSlice(info, (elements, row) => decodeNumbers(elements, info.type, values, row));
    await use(
      protein,
      keptCells === undefined ? values : Float64Array.from(keptCells, (cell) => values[cell]!),
    );
  }
}

/** Entries arrive protein by protein; cells without an entry have 0. */
async function eachOfMatrix(
  matrix: GeneMajorMatrix,
  { cells, proteins, signal }: { cells: number; proteins: number; signal: AbortSignal | undefined },
  use: UseProtein,
): Promise<void> {
  const { indptr } = matrix;
  const values = new Float64Array(cells);
  let protein = 0;
  let at = 0;
  const handOver = async () => {
    for (; protein < proteins && indptr[protein + 1]! <= at; protein++) {
      await use(protein, values);
      values.fill(0);
    }
  };
  await matrix.write(
    'expression',
    {
      async write(entryCells, entries) {
        for (let i = 0; i < entryCells.length; i++, at++) {
          if (at === indptr[protein + 1]) await handOver();
          values[entryCells[i]!] = entries[i]!;
        }
      },
      close: handOver,
    },
    { signal },
  );
}
