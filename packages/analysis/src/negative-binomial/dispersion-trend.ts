export interface DispersionTrend {
  /** `mean`: one value for all genes, if no curve a0 + a1 / mean has both coefficients positive. */
  readonly kind: 'parametric' | 'mean';
  /** a0 and a1; for `mean` a1 is unused. */
  readonly coefficients: readonly [number, number];
}

export function trendAt({ coefficients: [a0, a1] }: DispersionTrend, mean: number): number {
  return a0 + (a1 === 0 ? 0 : a1 / mean);
}

/** Genes off the curve by more than these factors are excluded from the fit. */
const nearCurve = [1e-4, 15] as const;
const minCoefficient = 1e-10;

/**
 * Fits a0 + a1 / mean to gene-wise dispersions by a gamma regression that is repeated without genes far off the curve
 * (Love, Huber and Anders 2014, equations 6 and 17). If there is no such curve, returns the mean of the dispersions
 * above their minimum.
 */
export function dispersionTrend(
  dispersions: Float64Array,
  means: Float64Array,
  minDispersion: number,
): DispersionTrend {
  let [x, y] = [means.map((mean) => 1 / mean), dispersions];
  let [a0, a1] = [1, 1];
  for (let change = Infinity; change >= 1e-6;) {
    const [last0, last1] = [a0, a1];
    if (x.length === 0) return meanTrend(dispersions, minDispersion);
    [a0, a1] = gammaFit(x, y);
    if (!(a0 > minCoefficient && a1 > minCoefficient)) return meanTrend(dispersions, minDispersion);
    change = Math.log(a0 / last0) ** 2 + Math.log(a1 / last1) ** 2;
    const isNear = x.map((inverse, gene) => {
      const ratio = y[gene]! / (a0 + a1 * inverse);
      return ratio >= nearCurve[0] && ratio < nearCurve[1] ? 1 : 0;
    });
    [x, y] = [x.filter((_, gene) => isNear[gene]), y.filter((_, gene) => isNear[gene])];
  }
  return { kind: 'parametric', coefficients: [a0, a1] };
}

function meanTrend(dispersions: Float64Array, minDispersion: number): DispersionTrend {
  const above = dispersions.filter((dispersion) => dispersion > 10 * minDispersion);
  // Counts that vary by chance alone.
  const mean = above.length > 0 ? trimmedMean(above, 0.001) : minDispersion;
  return { kind: 'mean', coefficients: [mean, 0] };
}

const minFitted = 1e-12;

/** Minimises the sum of y / m + log m for m = a0 + a1 x from (1, 1), halving steps until they improve. */
function gammaFit(x: Float64Array, y: Float64Array): [number, number] {
  const loss = (a0: number, a1: number) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += y[i]! / (a0 + a1 * x[i]!) + Math.log(a0 + a1 * x[i]!);
    return sum;
  };
  let [a0, a1] = [1, 1];
  let best = loss(a0, a1);
  for (let step = 0; step < 500; step++) {
    const [next0, next1] = improved(x, y, [a0, a1]);
    const [from0, from1] = [a0, a1];
    let gained = false;
    for (let share = 1; share > 1e-9 && !gained; share /= 2) {
      const try0 = Math.max(minFitted, from0 + share * (next0 - from0));
      const try1 = Math.max(minFitted, from1 + share * (next1 - from1));
      const newLoss = loss(try0, try1);
      // Near the least the loss no longer tells steps apart, but each full one is nearer.
      const slack = share === 1 ? 1e-14 * Math.abs(best) : 0;
      if (!(newLoss < best + slack)) continue;
      [a0, a1, best, gained] = [try0, try1, newLoss, true];
    }
    if (!gained) break;
    if (Math.abs(a0 / from0 - 1) + Math.abs(a1 / from1 - 1) < 1e-13) break;
  }
  return [a0, a1];
}

/** One Newton step, or Fisher scoring if the loss is not convex. */
function improved(x: Float64Array, y: Float64Array, [a0, a1]: readonly [number, number]): [number, number] {
  const expected = [0, 0, 0];
  const observed = [0, 0, 0];
  let [slope0, slope1] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const mean = a0 + a1 * x[i]!;
    const slope = (1 - y[i]! / mean) / mean;
    slope0 += slope;
    slope1 += slope * x[i]!;
    const weight = 1 / (mean * mean);
    const powers = [1, x[i]!, x[i]! ** 2];
    powers.forEach((power, at) => {
      expected[at]! += weight * power;
      observed[at]! += weight * ((2 * y[i]!) / mean - 1) * power;
    });
  }
  const isConvex = observed[0]! > 0 && observed[0]! * observed[2]! > observed[1]! ** 2;
  const [w, wx, wxx] = (isConvex ? observed : expected) as [number, number, number];
  const determinant = w * wxx - wx * wx;
  return [a0 - (wxx * slope0 - wx * slope1) / determinant, a1 - (w * slope1 - wx * slope0) / determinant];
}

/** Mean without the share `trim` of values, rounded down, at either end. NaN for no values. */
export function trimmedMean(values: Float64Array, trim: number): number {
  const cut = Math.floor(values.length * trim);
  const trimmed = values
    .slice()
    .sort()
    .subarray(cut, values.length - cut);
  return trimmed.reduce((sum, value) => sum + value, 0) / trimmed.length;
}
