import { NotCounts, type PseudobulkSamples, pseudobulkSums, pseudobulkTest } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import { negativeBinomialTasks } from './negative-binomial-tasks.ts';
import { quasiLikelihoodTasks } from './quasi-likelihood-tasks.ts';
import {
  countsOf,
  type DesignedSums,
  maxSpreadPoints,
  notCounts,
  reaches,
  type SumTable,
  writtenSums,
  mapPoints,
} from './sum-table.ts';
import { thinned } from './thinned.ts';

/** Sums the raw counts of the genes [from, to) into the matrix of all genes. */
export interface SumBlockTask extends Task<true> {
  kind: 'sum-block';
  dataset: DatasetRef;
  /** Codes are in shared memory. */
  samples: PseudobulkSamples;
  /** Genes × sums, in shared memory. */
  into: Float64Array;
  from: number;
  to: number;
}

async function sumBlock(
  { samples, into, from, to }: SumBlockTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<true> {
  const counts = await dataset.counts(signal);
  if (!counts) throw new Error(`dataset ${dataset.manifest.id} has no raw counts to sum`);
  const sums = await counts.useBlock(from, to, (block) => pseudobulkSums(block, samples), signal);
  into.set(sums.values, from * samples.sums.length);
  return true;
}

export interface SumTableTask extends DesignedSums, Task<SumTable> {
  kind: 'sum-table';
  dataset: DatasetRef;
  trend: boolean;
  robust: boolean;
  /** Whether the samples of a block are treated as correlated; otherwise the correlation is only reported. */
  isRandom: boolean;
}

function tableOfSums(task: SumTableTask, { genes: { symbols } }: Dataset): SumTable {
  const { design, contrast, trend, robust, blocks, isRandom } = task;
  const counts = countsOf(task);
  let answer: ReturnType<typeof pseudobulkTest>;
  try {
    answer = pseudobulkTest(counts, design, [contrast], { trend, robust, blocks, isRandom });
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    return notCounts(error, symbols);
  }
  if ('refusal' in answer) return answer;
  const {
    genes,
    librarySizes,
    factors,
    residualDegrees,
    map,
    means,
    tests,
    spread,
    histograms,
    correlation,
  } = answer.result;
  const variances = tests.priorVariances.toSorted();
  const [test] = tests.contrasts;
  const reach = reaches(tests.geneDegrees);
  return {
    table: writtenSums(task, symbols, {
      genes,
      effects: test!.effects,
      reaches: test!.standardErrors.map((error, place) => reach(place) * error),
      scores: test!.t,
      pvals: test!.pValues,
      adjusted: test!.adjusted,
      own: [means],
      means,
    }),
    checks: {
      librarySizes,
      factors,
      effectiveSizes: librarySizes.map((size, sample) => size * factors[sample]!),
      residualDegrees,
      tested: genes.length,
      // The median of the genes' variances, as they differ with a trend.
      shrinkage: {
        of: 'variances',
        priorDegrees: tests.priorDegrees,
        priorVariance: variances[variances.length >> 1]!,
      },
      map: mapPoints(map),
      spread: {
        measure: 'deviation',
        points: thinned(spread.points, maxSpreadPoints),
        trend: thinned(spread.trend, maxSpreadPoints),
      },
      histogram: histograms[0]!,
      ...(correlation !== undefined && !Number.isNaN(correlation) && { correlation }),
    },
  };
}

export const pseudobulkTasks = [
  taskKind<SumBlockTask>('sum-block', (task, { dataset, signal }) => sumBlock(task, dataset, signal)),
  taskKind<SumTableTask>('sum-table', (task, { dataset }) => tableOfSums(task, dataset)),
  ...negativeBinomialTasks,
  ...quasiLikelihoodTasks,
];
