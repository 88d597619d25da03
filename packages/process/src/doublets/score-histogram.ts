const binCount = 50;

/** How many scores are in each of 50 bins of equal width from 0 to 1; those that are NaN are in none. */
export function scoreHistogram(scores: Float64Array): number[] {
  const bins = new Array<number>(binCount).fill(0);
  for (const score of scores)
    if (!Number.isNaN(score)) bins[Math.min(binCount - 1, Math.floor(score * binCount))]! += 1;
  return bins;
}
