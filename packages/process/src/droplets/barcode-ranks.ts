import { smoothedDerivatives } from './smoothing-spline.ts';

/** Barcodes with the most counts whose ranks are too sparse for a slope. */
const FIRST_RANKS = 50;

/** The curve of barcodes by their totals, one point for each total: ranks rise, totals fall. */
export interface BarcodeRanks {
  /** Mean rank of the barcodes with this total, from 1. */
  readonly ranks: Float64Array;
  readonly totals: Float64Array;
  /** Total at the bend above which the curve is flat: droplets that hold whole cells. Undefined where too few points tell. */
  readonly knee: number | undefined;
  /** Total where the curve falls most steeply: between droplets with cells and without. */
  readonly inflection: number;
}

/** Of the spline between plateau and inflection, through at most so many points of the curve. */
const DEGREES_OF_FREEDOM = 20;
const MOST_POINTS = 300;

/**
 * Ranks barcodes by total counts and finds knee and inflection of the curve of log total over log rank, as
 * DropletUtils::barcodeRanks describes them: both from totals above `lower`, without the first ranks; the inflection
 * where the first derivative is least, the knee where the signed curvature is least between there and the flattest
 * point before it. Derivatives of the curvature are those of a smoothing spline.
 *
 * Undefined where fewer than three different totals lie above `lower`.
 */
export function barcodeRanks(totals: ArrayLike<number>, lower: number): BarcodeRanks | undefined {
  const curve = curveOf(totals);
  const end = curve.totals.findIndex((total) => total <= lower);
  const count = end < 0 ? curve.totals.length : end;
  if (count < 3) return undefined;
  const x = curve.ranks.subarray(0, count).map((rank) => Math.log10(rank));
  const y = curve.totals.subarray(0, count).map((total) => Math.log10(total));
  const skipped = x.findIndex((rank) => rank > Math.log10(FIRST_RANKS));
  const first = Math.min(count - 2, skipped < 0 ? count : skipped);
  const slope = (at: number) => (y[at + 1]! - y[at]!) / (x[at + 1]! - x[at]!);
  let steepest = first;
  for (let at = first; at + 1 < count; at++) if (slope(at) < slope(steepest)) steepest = at;
  let flattest = first;
  for (let at = first; at <= steepest; at++) if (slope(at) > slope(flattest)) flattest = at;
  const knee = mostBent(x, y, flattest, steepest);
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

/** The point of a stretch of the curve where it bends downwards most; undefined where there are too few to tell. */
function mostBent(x: Float64Array, y: Float64Array, from: number, to: number): number | undefined {
  const count = Math.min(MOST_POINTS, to - from + 1);
  if (count <= DEGREES_OF_FREEDOM) return undefined;
  const points = Int32Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * at) / (count - 1)),
  );
  const { first, second } = smoothedDerivatives(
    Float64Array.from(points, (at) => x[at]!),
    Float64Array.from(points, (at) => y[at]!),
    DEGREES_OF_FREEDOM,
  );
  const bend = second.map((value, at) => value / (1 + first[at]! ** 2) ** 1.5);
  return points[bend.indexOf(Math.min(...bend))]!;
}
