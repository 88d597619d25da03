import type { DatasetAdditions } from './additions/dataset-additions.ts';
import { KeptCellsMatrix } from './additions/kept-cells-matrix.ts';
import type { Candidate } from './expression/candidates.ts';
import { KeptGenesMatrix } from './features/kept-genes-matrix.ts';
import type { Hdf5File } from './hdf5/hdf5-file.ts';
import { Misjudged } from './misjudged.ts';
import type { Preflight } from './read-preflight.ts';
import type { GeneMajorMatrix } from './transpose/gene-major-matrix.ts';
import { NotCounts } from './transpose/not-counts.ts';
import { readMatrix } from './transpose/read-matrix.ts';
import { areCounts } from './transpose/value-statistics.ts';

/** What reading a matrix takes. */
export interface ReadWork {
  readonly file: Hdf5File;
  readonly preflight: Preflight;
  readonly additions: DatasetAdditions;
  readonly memoryBudget: number;
  readonly spillFolder: string;
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
  readonly signal: AbortSignal | undefined;
}

/** Threads that read and sort; more than the disk and the compressing threads can follow would not help. */
const THREADS = 2;
/** Up to here float32 holds every whole number. */
const EXACT_IN_FLOAT32 = 2 ** 24;

/** Reads a matrix, of it the genes and the cells that stay. Throws Misjudged, H5adError, the signal's reason. */
export async function readCandidate(
  work: ReadWork,
  candidate: Candidate,
  normalise: boolean,
): Promise<GeneMajorMatrix> {
  const { features } = candidate;
  const whole = await readWhole(work, candidate, normalise);
  const matrix = features === undefined ? whole : new KeptGenesMatrix(whole, features.kept);
  const { keptCells } = work.additions;
  if (keptCells === undefined) return matrix;
  try {
    const { cellCount } = candidate.layout;
    return await KeptCellsMatrix.of(matrix, { cellCount, keptCells }, work.signal);
  } catch (error) {
    await matrix.close();
    throw error;
  }
}

/** Reads a matrix; again with float64 for the rare counts that float32 cannot hold. */
async function readWhole(
  work: ReadWork,
  { layout }: Candidate,
  normalise: boolean,
): Promise<GeneMajorMatrix> {
  const { file, memoryBudget, spillFolder, signal, onProgress } = work;
  const onRead = (done: number, total: number) => onProgress({ stage: 'read', done, total });
  const settings = { normalise, memoryBudget, threads: THREADS, spillFolder, signal, onRead };
  try {
    const matrix = await readMatrix(file, layout, { ...settings, valueType: 'float32' });
    if (!areCounts(matrix.statistics) || matrix.statistics.maximum <= EXACT_IN_FLOAT32) return matrix;
    await matrix.close();
    return await readMatrix(file, layout, { ...settings, valueType: 'float64' });
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    throw new Misjudged(work.preflight.matrices, layout.path, error.statistics);
  }
}
