/** Two-sided 95 %: the turn from Turing's estimates to the fitted line. */
const CONFIDENCE = 1.96;

/**
 * Proportions of species from how often each was seen, with some left for those that were not: simple Good-Turing
 * (Gale & Sampson 1995, doi:10.1080/09296179508590051). What was never seen shares the mass of what was seen once.
 *
 * Counts are whole numbers. The proportions sum to 1; all are equal where nothing was seen.
 */
export function goodTuringProportions(counts: ArrayLike<number>): Float64Array {
  const frequencies = new Map<number, number>();
  let total = 0;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    total += count;
    if (count > 0) frequencies.set(count, (frequencies.get(count) ?? 0) + 1);
  }
  const proportions = new Float64Array(counts.length);
  if (total === 0) return proportions.fill(1 / Math.max(1, counts.length));
  const seen = [...frequencies.values()].reduce((sum, number) => sum + number, 0);
  const unseen = counts.length - seen;
  const smoothed = smoothedCounts(frequencies);
  // Without species seen once Good-Turing leaves nothing, and what is not seen would be impossible: one sighting more.
  const left = unseen === 0 ? 0 : frequencies.has(1) ? frequencies.get(1)! / total : 1 / (total + 1);
  let whole = 0;
  for (const [count, number] of frequencies) whole += number * smoothed.get(count)!;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    proportions[at] = count === 0 ? left / unseen : ((1 - left) * smoothed.get(count)!) / whole;
  }
  return proportions;
}

/** The count that stands for each count that was seen. */
function smoothedCounts(frequencies: ReadonlyMap<number, number>): Map<number, number> {
  const seen = [...frequencies.keys()].sort((a, b) => a - b);
  const { slope, intercept } = logLogLine(seen, frequencies);
  const fitted = (count: number) => Math.exp(intercept + slope * Math.log(count));
  const smoothed = new Map<number, number>();
  let onLine = false;
  for (const count of seen) {
    const byLine = ((count + 1) * fitted(count + 1)) / fitted(count);
    const next = frequencies.get(count + 1);
    if (next === undefined) onLine = true;
    let estimate = byLine;
    if (!onLine && next !== undefined) {
      const number = frequencies.get(count)!;
      const turing = ((count + 1) * next) / number;
      const deviation = Math.sqrt((((count + 1) ** 2 * next) / number ** 2) * (1 + next / number));
      if (Math.abs(turing - byLine) > CONFIDENCE * deviation) estimate = turing;
      else onLine = true;
    }
    smoothed.set(count, estimate);
  }
  return smoothed;
}

/** Least squares of the logarithms of averaged frequencies (each over the gap to its neighbours) on those of counts. */
function logLogLine(
  seen: readonly number[],
  frequencies: ReadonlyMap<number, number>,
): { slope: number; intercept: number } {
  const x = seen.map((count) => Math.log(count));
  const y = seen.map((count, at) => {
    const before = at === 0 ? 0 : seen[at - 1]!;
    const after = at === seen.length - 1 ? 2 * count - before : seen[at + 1]!;
    return Math.log((2 * frequencies.get(count)!) / (after - before));
  });
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  const meanY = y.reduce((sum, value) => sum + value, 0) / y.length;
  let covariance = 0;
  let variance = 0;
  x.forEach((value, at) => {
    covariance += (value - meanX) * (y[at]! - meanY);
    variance += (value - meanX) ** 2;
  });
  const slope = variance === 0 ? -1 : covariance / variance;
  return { slope, intercept: meanY - slope * meanX };
}
