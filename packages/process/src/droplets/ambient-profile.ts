import { eachCount, type DropletCounts } from './droplet-counts.ts';

/** Content of droplets without a cell: RNA of the suspension. */
export interface AmbientProfile {
  /** Per gene: share of the ambient RNA. Genes without any count in the whole matrix have 0. */
  proportions: Float64Array;
  /** Dirichlet-multinomial concentration: the smaller, the more droplets differ beyond sampling. */
  concentration: number;
  /**
   * Ratio of the chance that two molecules of a droplet are of one gene to that of sampling from the one profile: 1 if
   * all droplets contain the same mixture, more if they contain kinds of cells.
   */
  coincidence: number;
}

/** Limits of the concentration, as logarithms; above, droplets are practically multinomial. */
const minLog = Math.log(1e-2);
const maxLog = Math.log(1e4);
const steps = 60;

/**
 * Profile of the barcodes with at most `lower` counts, which are treated as empty: their pooled counts with Good-Turing
 * smoothing, and the concentration that maximises the Dirichlet-multinomial likelihood of these barcodes (Lun et al.
 * 2019, doi:10.1186/s13059-019-1662-y). Reads the counts once.
 */
export async function ambientProfile(
  counts: DropletCounts,
  totals: Float64Array,
  lower: number,
  signal?: AbortSignal,
): Promise<AmbientProfile> {
  const sums = new Float64Array(counts.geneCount);
  const present = new Uint8Array(counts.geneCount);
  // How many ambient barcodes have so many counts of a gene, under gene * (lower + 1) + count.
  const cells = new Map<number, number>();
  let pairs = 0;
  await eachCount(
    counts,
    (barcode, gene, count) => {
      if (count > 0) present[gene] = 1;
      if (totals[barcode]! > lower || count === 0) return;
      sums[gene]! += count;
      const key = gene * (lower + 1) + count;
      cells.set(key, (cells.get(key) ?? 0) + 1);
      pairs += count * (count - 1);
    },
    signal,
  );
  const genes = Int32Array.from(sums.keys()).filter((gene) => present[gene] === 1);
  const shares = goodTuringProportions(genes.map((gene) => sums[gene]!));
  const proportions = new Float64Array(counts.geneCount);
  genes.forEach((gene, at) => (proportions[gene] = shares[at]!));
  const sizes = new Map<number, number>();
  for (const total of totals) if (total > 0 && total <= lower) sizes.set(total, (sizes.get(total) ?? 0) + 1);
  const likelihood = (concentration: number) => {
    let sum = 0;
    for (const [size, number] of sizes)
      sum += number * (logGamma(concentration) - logGamma(size + concentration));
    for (const [key, number] of cells) {
      const weight = concentration * proportions[Math.floor(key / (lower + 1))]!;
      sum += number * logRising(weight, key % (lower + 1));
    }
    return sum;
  };
  return {
    proportions,
    concentration:
      sizes.size === 0 ? Math.exp(maxLog) : Math.exp(greatest((log) => likelihood(Math.exp(log)))),
    coincidence: coincidenceOf(pairs, sums, sizes),
  };
}

/** Logarithm of x (x + 1) ... (x + n - 1). */
function logRising(x: number, n: number): number {
  if (n > 20) return logGamma(x + n) - logGamma(x);
  let sum = 0;
  for (let at = 0; at < n; at++) sum += Math.log(x + at);
  return sum;
}

/** Maximum of a unimodal function between the limits, by golden section. */
function greatest(of: (at: number) => number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let low = minLog;
  let high = maxLog;
  let left = high - golden * (high - low);
  let right = low + golden * (high - low);
  let atLeft = of(left);
  let atRight = of(right);
  for (let step = 0; step < steps && high - low > 1e-7; step++) {
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - golden * (high - low);
      atLeft = of(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + golden * (high - low);
      atRight = of(right);
    }
  }
  return (low + high) / 2;
}

function coincidenceOf(pairs: number, sums: Float64Array, sizes: ReadonlyMap<number, number>): number {
  let all = 0;
  let alike = 0;
  for (const sum of sums) {
    all += sum;
    alike += sum * (sum - 1);
  }
  let possible = 0;
  for (const [size, number] of sizes) possible += number * size * (size - 1);
  const expected = (possible * alike) / Math.max(1, all * (all - 1));
  return expected > 0 ? pairs / expected : 1;
}

/** Two-sided 95 %: the switch from Turing's estimates to the fitted line. */
const confidence = 1.96;

/**
 * Proportions of species from their frequencies, reserving some mass for unseen ones: simple Good-Turing (Gale &
 * Sampson 1995, doi:10.1080/09296179508590051). Unseen species share the mass of those seen once. Counts are integers.
 * The proportions sum to 1; all are equal if nothing was seen.
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
  const observed = [...frequencies.values()].reduce((sum, number) => sum + number, 0);
  const unseen = counts.length - observed;
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

function smoothedCounts(frequencies: ReadonlyMap<number, number>): Map<number, number> {
  const observedCounts = [...frequencies.keys()].sort((a, b) => a - b);
  const { slope, intercept } = logLogLine(observedCounts, frequencies);
  const fitted = (count: number) => Math.exp(intercept + slope * Math.log(count));
  const smoothed = new Map<number, number>();
  let onLine = false;
  for (const count of observedCounts) {
    const byLine = ((count + 1) * fitted(count + 1)) / fitted(count);
    const next = frequencies.get(count + 1);
    if (next === undefined) onLine = true;
    let estimate = byLine;
    if (!onLine && next !== undefined) {
      const number = frequencies.get(count)!;
      const turing = ((count + 1) * next) / number;
      const deviation = Math.sqrt((((count + 1) ** 2 * next) / number ** 2) * (1 + next / number));
      if (Math.abs(turing - byLine) > confidence * deviation) estimate = turing;
      else onLine = true;
    }
    smoothed.set(count, estimate);
  }
  return smoothed;
}

/**
 * Least squares of the logarithms of averaged frequencies (each divided by the gap to its neighbours) on those of
 * counts.
 */
function logLogLine(
  observedCounts: readonly number[],
  frequencies: ReadonlyMap<number, number>,
): { slope: number; intercept: number } {
  const x = observedCounts.map((count) => Math.log(count));
  const y = observedCounts.map((count, at) => {
    const before = at === 0 ? 0 : observedCounts[at - 1]!;
    const after = at === observedCounts.length - 1 ? 2 * count - before : observedCounts[at + 1]!;
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

/** Coefficients of Stirling's series: Bernoulli numbers over 2k (2k - 1). */
const seriesTerms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];
const halfLogTwoPi = 0.9189385332046727;

/** Natural logarithm of the gamma function of x > 0, to about 1e-13 of its value (Abramowitz & Stegun 6.1.40). */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < 12) {
    shift += Math.log(at);
    at++;
  }
  const inverse = 1 / at;
  const square = inverse * inverse;
  let series = 0;
  for (let term = seriesTerms.length - 1; term >= 0; term--) series = series * square + seriesTerms[term]!;
  return (at - 0.5) * Math.log(at) - at + halfLogTwoPi + series * inverse - shift;
}
