import type { DatasetAdditions } from './additions.ts';
import { KeptCellsMatrix, KeptGenesMatrix } from './transpose/matrix-views.ts';
import { type Candidate, contentOf } from './expression/candidates.ts';
import type { Hdf5File } from './hdf5/hdf5-file.ts';
import type { Preflight } from './read-preflight.ts';
import type { GeneMajorMatrix, ReadOptions } from './transpose/gene-major-matrix.ts';
import { NotCounts, areCounts, canBeCounts, type ValueStatistics } from './transpose/value-statistics.ts';
import type { MatrixLayout } from './layout/matrix-layout.ts';
import { RereadMatrix } from './transpose/reread-matrix.ts';
import { TransposedMatrix } from './transpose/transpose-matrix.ts';

export interface ReadWork {
  file: Hdf5File;
  preflight: Pick<Preflight, 'matrices'>;
  additions: DatasetAdditions;
  memoryBudget: number;
  spillFolder: string;
  onProgress: (progress: { stage: string; done: number; total: number }) => void;
  signal: AbortSignal | undefined;
}

/** Default memory for buffers, in bytes. */
export const defaultMemoryBudget = 640 * 2 ** 20;
/** Threads that read and sort. More would outrun the disk and the compressing threads. */
const threads = 2;

/** Reads the kept genes and cells of a matrix. Throws SampleMismatch, H5adError or the signal's reason. */
export async function readCandidate(
  work: ReadWork,
  candidate: Candidate,
  normalise: boolean,
): Promise<GeneMajorMatrix> {
  const { features } = candidate;
  const whole = await readWhole(work, candidate, normalise);
  const matrix = features === undefined ? whole : new KeptGenesMatrix(whole, features.geneRows);
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

/**
 * Reads a matrix, and again as float64 in the rare case of counts that float32 cannot hold. Values that are normalised
 * without looking like counts were declared to be counts: their fractions are kept as in the file.
 */
async function readWhole(
  work: ReadWork,
  { layout, content }: Candidate,
  normalise: boolean,
): Promise<GeneMajorMatrix> {
  const { file, memoryBudget, spillFolder, signal, onProgress } = work;
  const onRead = (done: number, total: number) => onProgress({ stage: 'read', done, total });
  const fractions = normalise && content !== 'counts';
  const settings = { normalise, fractions, memoryBudget, threads: threads, spillFolder, signal, onRead };
  const areKept = fractions ? canBeCounts : areCounts;
  try {
    const matrix = await readMatrix(file, layout, { ...settings, valueType: 'float32' });
    if (!areKept(matrix.statistics) || matrix.statistics.rounded === 0) return matrix;
    await matrix.close();
    return await readMatrix(file, layout, { ...settings, valueType: 'float64' });
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    throw new SampleMismatch(work.preflight.matrices, layout.path, error.statistics);
  }
}

/** Reads a matrix with the strategy that suits it. Throws H5adError, NotCounts or the signal's reason. */
async function readMatrix(
  file: Hdf5File,
  layout: MatrixLayout,
  options: ReadOptions,
): Promise<GeneMajorMatrix> {
  return (
    (await RereadMatrix.read(file, layout, options)) ?? (await TransposedMatrix.read(file, layout, options))
  );
}

/** The values of a matrix contradict their sample; thrown before any of them is written. */
export class SampleMismatch extends Error {
  readonly matrices: readonly Candidate[];

  constructor(matrices: readonly Candidate[], path: string, statistics: ValueStatistics) {
    super(`${path} is not what its sample said`);
    this.name = 'SampleMismatch';
    this.matrices = matrices.map((matrix) =>
      matrix.layout.path === path
        ? { ...matrix, statistics, content: contentOf(statistics, matrix.evidence) }
        : matrix,
    );
  }
}
