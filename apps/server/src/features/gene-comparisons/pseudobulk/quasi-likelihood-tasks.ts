import {
  type CountsRefusal,
  NotCounts,
  normalisedCounts,
  type NormalisedCounts,
  profileLikelihoods,
  quasiFits,
  type QuasiFits,
  type QuasiLikelihoodTest,
  quasiTrend,
  type QuasiTrend,
  testedQuasiFits,
  type SumsRefusal,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import {
  countsOf,
  countsOfGenes,
  type DesignedSums,
  maxSpreadPoints,
  notCounts,
  reaches,
  type SumChecks,
  type SumTable,
  writtenSums,
  mapPoints,
} from './sum-table.ts';
import { thinned } from './thinned.ts';

/** The genes of a part with enough counts, and the normalisation of its samples; their counts stay in shared memory. */
type NormalisedSums = Omit<NormalisedCounts, 'tested'>;

interface PartTask<Result> extends Task<Result> {
  dataset: DatasetRef;
  of: DesignedSums;
}

export interface NormalisedTask extends PartTask<NormalisedSums | { refusal: CountsRefusal | SumsRefusal }> {
  kind: 'sum-normalised';
}

interface QuasiBlockTask<Result> extends PartTask<Result> {
  genes: Int32Array;
  /** Effective library sizes: sizes times factors. */
  sizes: Float64Array;
}

export interface ProfilesTask extends QuasiBlockTask<Float64Array> {
  kind: 'sum-profiles';
}

/** The expected dispersions of all genes of a part by their means. */
export interface QuasiTrendTask extends QuasiBlockTask<QuasiTrend> {
  kind: 'sum-quasi-trend';
  profiles: Float64Array;
}

export interface QuasiFitsTask extends QuasiBlockTask<QuasiFits> {
  kind: 'sum-quasi-fits';
  dispersions: Float64Array;
}

export interface QuasiTableTask extends PartTask<SumTable> {
  kind: 'sum-quasi-table';
  sums: NormalisedSums;
  trend: QuasiTrend;
  fits: QuasiFits;
}

function normalisedOf({ of: part }: NormalisedTask, { genes: { symbols } }: Dataset) {
  try {
    const answer = normalisedCounts(countsOf(part), part.design);
    if ('refusal' in answer) return answer;
    const { tested: _tested, ...sums } = answer;
    return sums;
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    return notCounts(error, symbols) as { refusal: SumsRefusal };
  }
}

function samplesOf({ of: { design }, sizes }: QuasiBlockTask<unknown>) {
  return { design, sizes };
}

function tableOf({ of: part, sums, trend, fits }: QuasiTableTask, { genes: { symbols } }: Dataset): SumTable {
  const normalised = { ...sums, tested: countsOfGenes(part, sums.genes) };
  const result = testedQuasiFits(normalised, part.design, [part.contrast], { trend, fits });
  const { genes, means, totalDegrees } = result;
  const { effects, standardErrors, f, pValues, adjusted } = result.contrasts[0]!;
  const reach = reaches(totalDegrees);
  const table = writtenSums(part, symbols, {
    genes,
    effects,
    reaches: standardErrors.map((error, place) => reach(place) * error),
    scores: f.map((value, place) => Math.sign(effects[place]!) * Math.sqrt(value)),
    pvals: pValues,
    adjusted,
    own: [means],
    means,
  });
  return { table, checks: checksOf(result) };
}

function checksOf(result: QuasiLikelihoodTest): SumChecks {
  const { librarySizes, factors, effectiveSizes, residualDegrees, genes, means, quasi, map } = result;
  const priors = quasi.priors.toSorted();
  // From counts per million to counts.
  const perMillion = effectiveSizes.reduce((sum, size) => sum + Math.log2(size / 1e6), 0);
  const rising = Int32Array.from(means.keys()).sort((one, other) => means[one]! - means[other]!);
  const points = (values: Float64Array) =>
    thinned(
      {
        x: Float64Array.from(rising, (place) => means[place]! + perMillion / effectiveSizes.length),
        y: Float64Array.from(rising, (place) => Math.sqrt(values[place]!)),
      },
      maxSpreadPoints,
    );
  return {
    librarySizes,
    factors,
    effectiveSizes,
    residualDegrees,
    tested: genes.length,
    // The median of the genes' dispersions, as they differ with their trend.
    shrinkage: {
      of: 'quasi-dispersions',
      priorDegrees: quasi.priorDegrees,
      priorVariance: priors[priors.length >> 1]!,
    },
    map: mapPoints(map),
    spread: { measure: 'quasi-dispersion', points: points(quasi.genewise), trend: points(quasi.priors) },
    histogram: result.histograms[0]!,
  };
}

export const quasiLikelihoodTasks = [
  taskKind<NormalisedTask>('sum-normalised', (task, { dataset }) => normalisedOf(task, dataset)),
  taskKind<ProfilesTask>('sum-profiles', (task) =>
    profileLikelihoods(countsOfGenes(task.of, task.genes), samplesOf(task)),
  ),
  taskKind<QuasiTrendTask>('sum-quasi-trend', (task) =>
    quasiTrend(countsOfGenes(task.of, task.genes), task, task.profiles),
  ),
  taskKind<QuasiFitsTask>('sum-quasi-fits', (task) =>
    quasiFits(countsOfGenes(task.of, task.genes), samplesOf(task), [task.of.contrast], task.dispersions),
  ),
  taskKind<QuasiTableTask>('sum-quasi-table', (task, { dataset }) => tableOf(task, dataset)),
];
