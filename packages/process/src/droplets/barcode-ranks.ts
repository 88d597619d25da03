/** Barcodes with the most counts, whose ranks are too sparse for a slope. */
const firstRanks = 50;

/** Curve of barcodes by total, one point per total: ranks rise, totals fall. */
export interface BarcodeRanks {
  /** Mean rank of the barcodes with this total, from 1. */
  ranks: Float64Array;
  totals: Float64Array;
  /**
   * Total at the bend above which the curve is flat: droplets with whole cells. Undefined if there are too few points.
   */
  knee: number | undefined;
  /** Total where the curve falls most steeply: between droplets with and without cells. */
  inflection: number;
}

/** For the spline between plateau and inflection, through at most this many points of the curve. */
const degreesOfFreedom = 20;
const maxPoints = 300;

/**
 * Ranks barcodes by total counts and finds knee and inflection of the curve of log total over log rank, as described
 * for DropletUtils::barcodeRanks: both from totals above `lower`, without the first ranks; the inflection at the
 * minimum of the first derivative, the knee at the minimum of the signed curvature between there and the flattest point
 * before it. Curvature uses the derivatives of a smoothing spline. Undefined if fewer than three different totals are
 * above `lower`.
 */
export function barcodeRanks(totals: ArrayLike<number>, lower: number): BarcodeRanks | undefined {
  const curve = curveOf(totals);
  const end = curve.totals.findIndex((total) => total <= lower);
  const count = end < 0 ? curve.totals.length : end;
  if (count < 3) return undefined;
  const x = curve.ranks.subarray(0, count).map((rank) => Math.log10(rank));
  const y = curve.totals.subarray(0, count).map((total) => Math.log10(total));
  const skipped = x.findIndex((rank) => rank > Math.log10(firstRanks));
  const first = Math.min(count - 2, skipped < 0 ? count : skipped);
  const slope = (at: number) => (y[at + 1]! - y[at]!) / (x[at + 1]! - x[at]!);
  let steepest = first;
  for (let at = first; at + 1 < count; at++) if (slope(at) < slope(steepest)) steepest = at;
  let flattest = first;
  for (let at = first; at <= steepest; at++) if (slope(at) > slope(flattest)) flattest = at;
  const knee = sharpestBend(x, y, flattest, steepest);
  return {
    ...curve,
    knee: knee === undefined ? undefined : curve.totals[knee]!,
    inflection: curve.totals[steepest]!,
  };
}

function curveOf(totals: ArrayLike<number>): Pick<BarcodeRanks, 'ranks' | 'totals'> {
  const sorted = Float64Array.from(totals).sort().toReversed();
  const ranks: number[] = [];
  const different: number[] = [];
  for (let start = 0; start < sorted.length && sorted[start]! > 0;) {
    let end = start;
    while (end < sorted.length && sorted[end] === sorted[start]) end++;
    ranks.push((start + 1 + end) / 2);
    different.push(sorted[start]!);
    start = end;
  }
  return { ranks: Float64Array.from(ranks), totals: Float64Array.from(different) };
}

/** Point of a stretch of the curve with the strongest downward bend; undefined if there are too few points. */
function sharpestBend(x: Float64Array, y: Float64Array, from: number, to: number): number | undefined {
  const count = Math.min(maxPoints, to - from + 1);
  if (count <= degreesOfFreedom) return undefined;
  const points = Int32Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * at) / (count - 1)),
  );
  const { first, second } = smoothedDerivatives(
    Float64Array.from(points, (at) => x[at]!),
    Float64Array.from(points, (at) => y[at]!),
    degreesOfFreedom,
  );
  const bend = second.map((value, at) => value / (1 + first[at]! ** 2) ** 1.5);
  return points[bend.indexOf(Math.min(...bend))]!;
}

interface Derivatives {
  first: Float64Array;
  second: Float64Array;
}

const steps = 80;

/**
 * Derivatives of the natural cubic smoothing spline: it minimises the sum of squared residuals plus a penalty on its
 * squared second derivative, with the penalty that gives this many degrees of freedom (Green & Silverman 1994,
 * Nonparametric Regression and Generalized Linear Models, chapter 2; the trace as in Hutchinson & de Hoog 1985,
 * doi:10.1007/BF01389878). x rises strictly; at least three points, and more than degrees of freedom.
 */
export function smoothedDerivatives(x: Float64Array, y: Float64Array, degrees: number): Derivatives {
  const gaps = x.subarray(1).map((value, at) => value - x[at]!);
  let low = -30;
  let high = 30;
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (degreesOf(gaps, factorOf(gaps, Math.exp(middle))) > degrees) low = middle;
    else high = middle;
  }
  const penalty = Math.exp((low + high) / 2);
  const curvature = solve(factorOf(gaps, penalty), secondDifferences(gaps, y));
  const second = new Float64Array(x.length);
  second.set(curvature, 1);
  const values = y.map((value, at) => {
    const before = at > 0 ? (second[at]! - second[at - 1]!) / gaps[at - 1]! : 0;
    const after = at < gaps.length ? (second[at + 1]! - second[at]!) / gaps[at]! : 0;
    return value - penalty * (after - before);
  });
  const first = values.map((_, at) => {
    const left = at < gaps.length ? at : at - 1;
    const gap = gaps[left]!;
    const slope = (values[left + 1]! - values[left]!) / gap;
    const own = at === left ? -1 : 1;
    return slope + (own * gap * (2 * second[at]! + second[at === left ? at + 1 : left]!)) / 6;
  });
  return { first, second };
}

/** L D L' of the five-band matrix of the inner points: diagonal, and the two bands below it. */
interface Factor {
  diagonal: Float64Array;
  one: Float64Array;
  two: Float64Array;
}

function factorOf(gaps: Float64Array, penalty: number): Factor {
  const n = gaps.length - 1;
  const [diagonal, one, two] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let at = 0; at < n; at++) {
    const [left, right, next] = [1 / gaps[at]!, 1 / gaps[at + 1]!, 1 / (gaps[at + 2] ?? Infinity)];
    let middle = (gaps[at]! + gaps[at + 1]!) / 3 + penalty * (left ** 2 + (left + right) ** 2 + right ** 2);
    let beside = at + 1 < n ? gaps[at + 1]! / 6 - penalty * right * (left + 2 * right + next) : 0;
    const beyond = at + 2 < n ? penalty * right * next : 0;
    if (at > 0) {
      middle -= diagonal[at - 1]! * one[at - 1]! ** 2;
      beside -= diagonal[at - 1]! * one[at - 1]! * two[at - 1]!;
    }
    if (at > 1) middle -= diagonal[at - 2]! * two[at - 2]! ** 2;
    diagonal[at] = middle;
    one[at] = beside / middle;
    two[at] = beyond / middle;
  }
  return { diagonal, one, two };
}

function solve({ diagonal, one, two }: Factor, right: Float64Array): Float64Array {
  const solution = right.slice();
  for (let at = 0; at < solution.length; at++) {
    if (at > 0) solution[at]! -= one[at - 1]! * solution[at - 1]!;
    if (at > 1) solution[at]! -= two[at - 2]! * solution[at - 2]!;
  }
  for (let at = solution.length - 1; at >= 0; at--) {
    solution[at]! /= diagonal[at]!;
    solution[at]! -= one[at]! * (solution[at + 1] ?? 0) + two[at]! * (solution[at + 2] ?? 0);
  }
  return solution;
}

/** Degrees of freedom: 2 plus the trace of the inverse times the band matrix of the gaps. */
function degreesOf(gaps: Float64Array, { diagonal, one, two }: Factor): number {
  let trace = 2;
  // Entries of the inverse: [i][i], [i][i + 1] of the row below, and the same of the one below that.
  let [next, nextBeside, afterNext] = [0, 0, 0];
  for (let at = diagonal.length - 1; at >= 0; at--) {
    const beside = -one[at]! * next - two[at]! * nextBeside;
    const beyond = -one[at]! * nextBeside - two[at]! * afterNext;
    const own = 1 / diagonal[at]! - one[at]! * beside - two[at]! * beyond;
    trace += (own * (gaps[at]! + gaps[at + 1]!)) / 3;
    if (at + 1 < diagonal.length) trace += (2 * beside * gaps[at + 1]!) / 6;
    [afterNext, next, nextBeside] = [next, own, beside];
  }
  return trace;
}

function secondDifferences(gaps: Float64Array, y: Float64Array): Float64Array {
  return Float64Array.from(
    { length: gaps.length - 1 },
    (_, at) => (y[at + 2]! - y[at + 1]!) / gaps[at + 1]! - (y[at + 1]! - y[at]!) / gaps[at]!,
  );
}
