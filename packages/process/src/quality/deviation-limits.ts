import type { QualityThresholds } from '@cellfolio/model';
import type { QualitySettings } from '../settings.ts';
import type { CellMeasures } from './cell-measures.ts';

/** Where all cells are alike, a threshold must not fall on their wrong side by its own rounding. */
const ROUNDING = 1e-9;
/** Makes the median absolute deviation of a normal distribution its standard deviation, as scuttle and R's `mad` do. */
const NORMAL = 1.4826;
/**
 * Shares of mitochondrial counts up to this are sound whatever the other cells have, as
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html takes them: where most cells have
 * none or next to none, the deviation is so small that good cells would fall to it.
 */
const SOUND_MITOCHONDRIAL = 0.08;

/** A median, and the median absolute deviation from it. */
export interface Spread {
  readonly median: number;
  readonly deviation: number;
}

/** What thresholds are found from: of natural logarithms for counts and genes, of shares where there are any. */
export interface Spreads {
  readonly counts: Spread;
  readonly genes: Spread;
  readonly mitochondrial?: Spread;
}

/** Of these cells; those without counts say nothing of the others. */
export function spreadsOf(measures: CellMeasures, cells: ArrayLike<number>): Spreads {
  const filled = Array.from(cells).filter((cell) => measures.counts[cell]! > 0);
  const logs = (values: ArrayLike<number>) => Float64Array.from(filled, (cell) => Math.log(values[cell]!));
  return {
    counts: spreadOf(logs(measures.counts)),
    genes: spreadOf(logs(measures.genes)),
    ...(measures.geneCounts.mitochondrial > 0 && {
      mitochondrial: spreadOf(Float64Array.from(filled, (cell) => measures.mitochondrial[cell]!)),
    }),
  };
}

/**
 * Thresholds that the settings do not name are medians with so many median absolute deviations (McCarthy et al. 2017,
 * doi:10.1093/bioinformatics/btw777).
 */
export function deviationLimits(spreads: Spreads, settings: QualitySettings): QualityThresholds {
  const { deviations, minimumCounts, minimumGenes, maximumMitochondrial } = settings;
  const lowest = ({ median, deviation }: Spread) =>
    leastWhole(Math.exp(median - deviations * NORMAL * deviation));
  const highest = ({ median, deviation }: Spread) =>
    Math.min(1, Math.max(SOUND_MITOCHONDRIAL, median + deviations * NORMAL * deviation + ROUNDING));
  const { counts, genes, mitochondrial } = spreads;
  return {
    minimumCounts: minimumCounts ?? lowest(counts),
    minimumGenes: minimumGenes ?? lowest(genes),
    // A line that no cell can cross is none.
    ...(mitochondrial && { maximumMitochondrial: maximumMitochondrial ?? highest(mitochondrial) }),
  };
}

/** 0 and 0 of nothing. */
function spreadOf(values: Float64Array): Spread {
  const median = medianOf(values);
  return { median, deviation: medianOf(values.map((value) => Math.abs(value - median))) };
}

function medianOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
}

/** The least whole number that is not below a threshold. */
function leastWhole(threshold: number): number {
  return Math.max(0, Math.ceil(threshold * (1 - ROUNDING)));
}
