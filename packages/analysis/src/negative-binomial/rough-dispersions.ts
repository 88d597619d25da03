import { trimmedMean } from './dispersion-trend.ts';
import type { Replicates } from './replicates.ts';

interface NormalisedGene {
  values: Float64Array;
  fitted: Float64Array;
  residualDegrees: number;
  /** Mean of 1 / size factor. */
  meanInverse: number;
}

/**
 * Start of the search for a dispersion: the lesser of two moment estimates, about the fit and about the mean; at least
 * 0.
 */
export function roughDispersion({ values, fitted, residualDegrees, meanInverse }: NormalisedGene): number {
  const mean = meanOf(values);
  let [aboutFit, square] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const expected = Math.max(fitted[i]!, 1);
    aboutFit += ((values[i]! - expected) ** 2 - expected) / (residualDegrees * expected * expected);
    square += (values[i]! - mean) ** 2;
  }
  const aboutMean = (square / (values.length - 1) - meanInverse * mean) / (mean * mean);
  return Math.max(0, Math.min(aboutFit, aboutMean));
}

/**
 * Trims a third of two or three replicates, a quarter of up to 23, an eighth of more; `scale` corrects the variance for
 * it.
 */
const trims = [
  { below: 3.5, trim: 1 / 3, scale: 2.04 },
  { below: 23.5, trim: 1 / 4, scale: 1.86 },
  { below: Infinity, trim: 1 / 8, scale: 1.51 },
] as const;
/** Minimum robust dispersion; a lower one would turn every count beside an outlier into one. */
const minRobust = 0.04;

/**
 * Outlier-resistant dispersion for Cook's distances: from the largest trimmed variance of sets of three or more
 * replicates; of all samples without such sets.
 */
export function robustDispersion(values: Float64Array, replicates: Replicates): number {
  const { codes, sizes } = replicates;
  const sets = sizes.flatMap((size, set) => (size >= 3 ? [values.filter((_, i) => codes[i] === set)] : []));
  const variance =
    sets.length > 0
      ? Math.max(
          ...sets.map((set) =>
            trimmedVariance(
              set,
              trims.find(({ below }) => set.length < below)!,
            ),
          ),
        )
      : trimmedVariance(values, trims[2]);
  const mean = meanOf(values);
  return Math.max((variance - mean) / (mean * mean), minRobust);
}

function trimmedVariance(values: Float64Array, { trim, scale }: { trim: number; scale: number }): number {
  const middle = trimmedMean(values, trim);
  return (
    scale *
    trimmedMean(
      values.map((value) => (value - middle) ** 2),
      trim,
    )
  );
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
