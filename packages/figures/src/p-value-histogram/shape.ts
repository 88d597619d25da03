export const histogramShapes = [
  'none',
  'flat',
  'peak-at-0',
  'peak-at-1',
  'u-shape',
  'few-small',
  'uneven',
] as const;
export type HistogramShape = (typeof histogramShapes)[number];

/** Minimum ratio of a bin to the middle ones for a peak, or for a gap: genes are correlated. */
const factor = { peak: 1.5, gap: 0.67 } as const;
/** Minimum difference in standard deviations of a count, in addition. */
const deviations = 4;

/**
 * Classifies counts in equal bins from 0 to 1. The ends are compared with the median of the bins between them, where
 * genes without a difference are. A peak at 0 with flat bins beside it means that the test fits and finds something.
 */
export function shapeOf(counts: readonly number[]): HistogramShape {
  if (counts.every((count) => count === 0)) return 'none';
  const middle = counts.slice(1, -1);
  const usual = middle.toSorted((a, b) => a - b)[middle.length >> 1]!;
  const chance = deviations * Math.sqrt(Math.max(1, usual));
  const isPeak = (count: number): boolean => count > factor.peak * usual && count > usual + chance;
  const isGap = (count: number): boolean => count < factor.gap * usual && count < usual - chance;
  const [first, last] = [isPeak(counts[0]!), isPeak(counts.at(-1)!)];
  if (first || last) return first && last ? 'u-shape' : first ? 'peak-at-0' : 'peak-at-1';
  // Beside a peak at 0 bins fall off; without one a peak in the middle is none of chance.
  if (middle.some(isPeak)) return 'uneven';
  return isGap(counts[0]!) ? 'few-small' : 'flat';
}

/** Storey's estimate of the share of genes without a difference, from the p-values above a half; at most 1. */
export function unchangedShare(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const upper = counts.slice(counts.length / 2).reduce((sum, count) => sum + count, 0);
  return Math.min(1, (2 * upper) / all);
}
