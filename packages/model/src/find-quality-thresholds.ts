/** Lines of a quality control that were applied; a cell that is on a line stays. */
export interface QualityThresholds {
  readonly minimumCounts: number;
  readonly minimumGenes: number;
  /** Share of a cell's counts, from 0 to 1; absent where no mitochondrial genes are known, so that none was applied. */
  readonly maximumMitochondrial?: number;
}

/**
 * Which cells stay. A threshold that is not given is found from the data: so many median absolute deviations
 * from the median, of the logarithm for counts and detected genes, outwards only.
 */
export interface QualitySettings {
  readonly deviations: number;
  readonly minimumCounts?: number | undefined;
  readonly minimumGenes?: number | undefined;
  /** Greatest share of a cell's counts from mitochondrial genes, from 0 to 1. */
  readonly maximumMitochondrial?: number | undefined;
}

/** A median, and the median absolute deviation from it. */
export interface Spread {
  readonly median: number;
  readonly deviation: number;
}

/** What thresholds are found from: of natural logarithms for counts and genes, of shares where there are any. */
export interface Spreads {
  readonly counts: Spread;
  readonly genes: Spread;
  readonly mitochondrial?: Spread | undefined;
}

/** Makes the median absolute deviation of a normal distribution its standard deviation, as scuttle and R's `mad` do. */
export const deviationScale = 1.4826;
/** Where all cells are alike, a threshold must not fall on their wrong side by its own rounding. */
const rounding = 1e-9;
/**
 * Shares of mitochondrial counts up to this are sound regardless of the other cells, as
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html takes them: where most cells have
 * none or next to none, the deviation is so small that good cells would fall to it.
 */
export const soundMitochondrial = 0.08;

/**
 * Thresholds that the settings do not name are medians with so many median absolute deviations (McCarthy et al. 2017,
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

/** The smallest integer that is not below a threshold. */
function roundedUp(threshold: number): number {
  return Math.max(0, Math.ceil(threshold * (1 - rounding)));
}
