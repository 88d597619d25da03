import {
  type CountedGenes,
  countedGenes,
  type Design,
  type DispersionPrior,
  dispersionPrior,
  geneFits,
  type GeneFits,
  genewiseDispersions,
  type GenewiseDispersions,
  type NegativeBinomialTest,
  NotCounts,
  simulatedFalseShare,
  testedFits,
  type SumsRefusal,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import {
  countsOf,
  countsOfGenes,
  type DesignedSums,
  type DispersionChecks,
  maxSpreadPoints,
  notCounts,
  type SumChecks,
  type SumTable,
  writtenSums,
  mapPoints,
} from './sum-table.ts';
import { thinned } from './thinned.ts';

/** The genes of a part that have counts, and the size factors of its samples. */
export interface CountedGenesTask extends Task<CountedGenes | { refusal: SumsRefusal }> {
  kind: 'sum-sizes';
  dataset: DatasetRef;
  of: DesignedSums;
}

interface BlockTask<Result> extends Task<Result> {
  dataset: DatasetRef;
  of: DesignedSums;
  genes: Int32Array;
  sizeFactors: Float64Array;
}

export interface DispersionsTask extends BlockTask<GenewiseDispersions> {
  kind: 'sum-dispersions';
}

export interface DispersionPriorTask extends Task<DispersionPrior> {
  kind: 'dispersion-prior';
  genewise: Pick<GenewiseDispersions, 'baseMeans' | 'dispersions'>;
  design: Design;
}

export interface GeneFitsTask extends BlockTask<GeneFits> {
  kind: 'sum-fits';
  genewise: GenewiseDispersions;
  prior: DispersionPrior;
}

export interface SimulatedSetTask extends Task<number> {
  kind: 'sum-simulated-set';
  from: Parameters<typeof simulatedFalseShare>[0];
  seed: string;
}

export interface FittedTableTask extends BlockTask<SumTable> {
  kind: 'sum-fitted-table';
  prior: DispersionPrior;
  fits: GeneFits;
  /** False discovery rates in simulated sets; empty for most parts. */
  falseShares: readonly number[];
}

const blockOf = ({ of, genes }: BlockTask<unknown>) => countsOfGenes(of, genes);

function sizesOf({ of: part }: CountedGenesTask, { genes: { symbols } }: Dataset) {
  try {
    return countedGenes(countsOf(part));
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    return notCounts(error, symbols) as { refusal: SumsRefusal };
  }
}

function samplesOf({ of: { design }, sizeFactors }: BlockTask<unknown>) {
  return { design, sizeFactors };
}

/** 97.5th percentile of the standard normal distribution: ±1.96 covers 95 %. */
const normalReach = 1.959_963_984_540_054;

function fittedTable(task: FittedTableTask, { genes: { symbols } }: Dataset): SumTable {
  const { of: part, genes, prior, fits: first, falseShares } = task;
  const estimates = { genes, prior, first };
  const result = testedFits(countsOf(part), samplesOf(task), [part.contrast], estimates);
  const { means, dispersions } = result;
  const { effects, errors, statistics, pValues, adjusted } = result.contrasts[0]!;
  const table = writtenSums(part, symbols, {
    genes,
    effects,
    reaches: errors.map((error) => normalReach * error),
    scores: statistics,
    pvals: pValues,
    adjusted,
    own: [means, dispersions.final],
    means: means.map(logMean),
  });
  return { table, checks: checksOf(result, falseShares) };
}

/** NaN for a gene whose only counts were replaced by zeros. */
function logMean(mean: number): number {
  return mean > 0 ? Math.log2(mean) : NaN;
}

function checksOf(result: NegativeBinomialTest, falseShares: readonly number[]): SumChecks {
  const { genes, librarySizes, sizeFactors, effectiveSizes, residualDegrees, means, dispersions } = result;
  const { map, histograms, replaced, outliers } = result;
  const { pValues, adjusted, minMean } = result.contrasts[0]!;
  const isFiltered = (p: number, place: number) => !Number.isNaN(p) && Number.isNaN(adjusted[place]!);
  // Rising by the mean, as a curve is drawn.
  const rising = Int32Array.from(means.keys())
    .filter((place) => means[place]! > 0)
    .sort((one, other) => means[one]! - means[other]!);
  const points = (values: Float64Array) =>
    thinned(
      {
        x: Float64Array.from(rising, (place) => Math.log2(means[place]!)),
        y: Float64Array.from(rising, (place) => Math.sqrt(values[place]!)),
      },
      maxSpreadPoints,
    );
  return {
    librarySizes,
    factors: sizeFactors,
    effectiveSizes,
    residualDegrees,
    tested: genes.length,
    shrinkage: {
      of: 'dispersions',
      trend: dispersions.trend.kind,
      coefficients: dispersions.trend.coefficients,
      priorVariance: dispersions.priorVariance,
      replaced: replaced.length,
      outliers: outliers.length,
      filtered: pValues.filter(isFiltered).length,
      minMean,
      ...(falseShares.length > 0 && { falseDiscoveries: meanOf(falseShares) }),
    },
    map: mapPoints(map),
    spread: {
      measure: 'dispersion',
      points: points(dispersions.genewise),
      trend: points(dispersions.expected),
    },
    histogram: histograms[0]!,
  };
}

function meanOf(shares: readonly number[]): NonNullable<DispersionChecks['falseDiscoveries']> {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const square = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1);
  return { mean, error: Math.sqrt(square / shares.length), sets: shares.length };
}

export const negativeBinomialTasks = [
  taskKind<CountedGenesTask>('sum-sizes', (task, { dataset }) => sizesOf(task, dataset)),
  taskKind<DispersionsTask>('sum-dispersions', (task) => genewiseDispersions(blockOf(task), samplesOf(task))),
  taskKind<DispersionPriorTask>('dispersion-prior', (task) => dispersionPrior(task.genewise, task)),
  taskKind<GeneFitsTask>('sum-fits', (task) =>
    geneFits(blockOf(task), samplesOf(task), [task.of.contrast], task.prior, task.genewise),
  ),
  taskKind<SimulatedSetTask>('sum-simulated-set', ({ from, seed }) => simulatedFalseShare(from, seed)),
  taskKind<FittedTableTask>('sum-fitted-table', (task, { dataset }) => fittedTable(task, dataset)),
];
