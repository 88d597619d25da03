import { gridDispersions } from './profile-likelihoods.ts';

const gridSize = gridDispersions.length;
/**
 * Up to this number, all genes determine the trend at each gene; beyond it, a share that falls with the square root of
 * their number.
 */
const fewGenes = 50;
const leastSpan = 0.25;
/** A cell between two evaluation points is halved while it is wider than this many bandwidths, as in locfit. */
const maxCell = 0.8;
/** Minimum bandwidth as a share of the range: genes with equal means have none. */
const minBandwidth = 1e-3;

export function commonDispersion(profiles: Float64Array): number {
  const sums = new Float64Array(gridSize);
  for (let at = 0; at < profiles.length; at++) sums[at % gridSize]! += profiles[at]!;
  return dispersionAt(maximumOf(sums));
}

const dispersionAt = (place: number) => gridDispersions[0]! * 2 ** place;

/**
 * Expected dispersion of a gene by its mean expression: the most likely one for it and the genes near it (McCarthy,
 * Chen and Smyth 2012; Chen, Lun and Smyth 2014). `profiles`: likelihoods from `profileLikelihoods`; `means`: mean log
 * expressions. As edgeR's `estimateDisp` with its locfit trend.
 */
export function trendedDispersions(profiles: Float64Array, means: Float64Array): Float64Array {
  const geneCount = means.length;
  const span = geneCount <= fewGenes ? 1 : leastSpan + (1 - leastSpan) * Math.sqrt(fewGenes / geneCount);
  const near = Math.floor(geneCount * span);
  const places = placesOf(means, near);
  const curves = places.map(({ at, bandwidth }) => localMean(profiles, means, at, bandwidth));
  const own = new Float64Array(gridSize);
  return means.map((mean) => {
    let left = 0;
    while (left + 2 < places.length && places[left + 1]!.at <= mean) left++;
    const right = Math.min(left + 1, places.length - 1);
    const width = places[right]!.at - places[left]!.at;
    const share = width > 0 ? (mean - places[left]!.at) / width : 0;
    for (let i = 0; i < gridSize; i++) own[i] = (1 - share) * curves[left]![i]! + share * curves[right]![i]!;
    return dispersionAt(maximumOf(own));
  });
}

interface TrendPlace {
  at: number;
  bandwidth: number;
}

/**
 * Evaluation points of the local means, ascending: the ends of the range and, while a cell is wide relative to its
 * bandwidths, its middle (Loader 1999, section 12.2). The trend is linear between them.
 */
function placesOf(x: Float64Array, near: number): TrendPlace[] {
  const low = x.reduce((minimum, value) => Math.min(minimum, value), Infinity);
  const high = x.reduce((maximum, value) => Math.max(maximum, value), -Infinity);
  const distances = new Float64Array(x.length);
  const placeAt = (at: number): TrendPlace => {
    for (let i = 0; i < x.length; i++) distances[i] = Math.abs(x[i]! - at);
    distances.sort();
    return { at, bandwidth: Math.max(distances[near - 1]!, minBandwidth * (high - low)) };
  };
  const between = (left: TrendPlace, right: TrendPlace): TrendPlace[] => {
    if (right.at - left.at <= maxCell * Math.min(left.bandwidth, right.bandwidth)) return [];
    const middle = placeAt((left.at + right.at) / 2);
    return [...between(left, middle), middle, ...between(middle, right)];
  };
  const [first, last] = [placeAt(low), placeAt(high)];
  return low < high ? [first, ...between(first, last), last] : [first];
}

function localMean(profiles: Float64Array, means: Float64Array, at: number, bandwidth: number) {
  const curve = new Float64Array(gridSize);
  let sum = 0;
  for (let gene = 0; gene < means.length; gene++) {
    const share = bandwidth > 0 ? Math.abs(means[gene]! - at) / bandwidth : 0;
    if (share >= 1) continue;
    const rest = 1 - share * share * share;
    const weight = rest * rest * rest;
    sum += weight;
    for (let i = 0; i < gridSize; i++) curve[i]! += weight * profiles[gene * gridSize + i]!;
  }
  return curve.map((value) => value / sum);
}

/**
 * Position of the maximum of values at 0, 1, 2, …: on the cubic spline through all of them, next to the largest. The
 * spline's third derivatives at the ends are those of the cubics through four values (Forsythe, Malcolm and Moler
 * 1977).
 */
export function maximumOf(values: Float64Array): number {
  const bends = secondDerivatives(values);
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[largest]!) largest = i;
  let [best, height] = [largest, values[largest]!];
  for (const left of [largest - 1, largest]) {
    if (left < 0 || left + 1 >= values.length) continue;
    const [bend, next] = [bends[left]!, bends[left + 1]!];
    const change = next - bend;
    const slope = values[left + 1]! - values[left]! - (2 * bend + next) / 6;
    // Where slope + bend · t + change · t² / 2 is zero and falls.
    const root = Math.sqrt(bend * bend - 2 * change * slope);
    const t = (2 * slope) / (root - bend);
    if (!(t > 0 && t < 1)) continue;
    const value = values[left]! + t * (slope + t * (bend / 2 + (t * change) / 6));
    if (value > height) [best, height] = [left + t, value];
  }
  return best;
}

/** Second derivatives of the spline at each value, by elimination from both end conditions. */
function secondDerivatives(values: Float64Array): Float64Array {
  const last = values.length - 1;
  const third = (at: number) => values[at + 3]! - 3 * values[at + 2]! + 3 * values[at + 1]! - values[at]!;
  // In each row: bend[i] = rest[i] - factor[i] · bend[i + 1].
  const factor = new Float64Array(last + 1);
  const rest = new Float64Array(last + 1);
  factor[0] = -1;
  rest[0] = -third(0);
  for (let i = 1; i < last; i++) {
    const right = 6 * (values[i + 1]! - 2 * values[i]! + values[i - 1]!);
    const pivot = 4 - factor[i - 1]!;
    factor[i] = 1 / pivot;
    rest[i] = (right - rest[i - 1]!) / pivot;
  }
  const bends = new Float64Array(last + 1);
  // bend[last] - bend[last - 1] is the third derivative.
  bends[last] = (third(last - 3) + rest[last - 1]!) / (1 + factor[last - 1]!);
  for (let i = last - 1; i >= 0; i--) bends[i] = rest[i]! - factor[i]! * bends[i + 1]!;
  return bends;
}
