import { deviationScale } from './deviation-scale.ts';
import type { QualityThresholds, Spread, Spreads } from './processing-record.ts';

/**
 * Which cells stay. A missing threshold is derived from the data: this number of median absolute deviations from the
 * median, of the logarithm for counts and detected genes, outwards only.
 */
export interface QualitySettings {
  readonly deviations: number;
  readonly minimumCounts?: number | undefined;
  readonly minimumGenes?: number | undefined;
  /** Maximum share of a cell's counts from mitochondrial genes, from 0 to 1. */
  readonly maximumMitochondrial?: number | undefined;
}

/** If all cells are alike, rounding must not put the threshold on their wrong side. */
const rounding = 1e-9;
/**
 * Mitochondrial shares up to this are acceptable regardless of the other cells, as in
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html: if most cells have almost none,
 * the deviation is so small that good cells would be removed.
 */
export const soundMitochondrial = 0.08;

/**
 * Missing thresholds are medians with this number of median absolute deviations (McCarthy et al. 2017,
 * doi:10.1093/bioinformatics/btw777).
 */
export function qualityThresholds(spreads: Spreads, settings: QualitySettings): QualityThresholds {
  const { deviations, minimumCounts, minimumGenes, maximumMitochondrial } = settings;
  const lowest = ({ median, deviation }: Spread) =>
    roundedUp(Math.exp(median - deviations * deviationScale * deviation));
  const highest = ({ median, deviation }: Spread) =>
    Math.min(1, Math.max(soundMitochondrial, median + deviations * deviationScale * deviation + rounding));
  const { counts, genes, mitochondrial } = spreads;
  return {
    minimumCounts: minimumCounts ?? lowest(counts),
    minimumGenes: minimumGenes ?? lowest(genes),
    // A line that no cell can cross is none.
    ...(mitochondrial && { maximumMitochondrial: maximumMitochondrial ?? highest(mitochondrial) }),
  };
}

function roundedUp(threshold: number): number {
  return Math.max(0, Math.ceil(threshold * (1 - rounding)));
}
