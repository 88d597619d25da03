export const densityPoints = 128;

const gridPoints = 256;

/**
 * Gaussian kernel density of `values` and `zeros` further zeros, from the minimum to the maximum (seaborn's `cut=0`),
 * scaled to a peak of 1 (`density_norm='width'`). The bandwidth is Scott's, as in scipy's `gaussian_kde`: the standard
 * deviation (n - 1) times n^(-1/5). Values are binned to a grid of 256 first, so that the cost of the kernel does not
 * grow with their number; the result is within 0.01 of scipy's. Null with fewer than two distinct values.
 */
export function groupDensity(values: Float32Array | Float64Array, zeros: number): number[] | null {
  const count = values.length + zeros;
  let [low, high] = zeros > 0 ? [0, 0] : [Infinity, -Infinity];
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
    sum += value;
  }
  if (count < 2 || !(high > low)) return null;
  const mean = sum / count;
  const step = (high - low) / (gridPoints - 1);
  const weights = new Float64Array(gridPoints);
  let squares = zeros * mean * mean;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    squares += (value - mean) ** 2;
    share(weights, (value - low) / step, 1);
  }
  if (zeros > 0) share(weights, (0 - low) / step, zeros);
  const bandwidth = Math.sqrt(squares / (count - 1)) * count ** -0.2;
  const kernel = Float64Array.from({ length: gridPoints }, (_, k) =>
    Math.exp(-0.5 * ((k * step) / bandwidth) ** 2),
  );
  const smooth = new Float64Array(gridPoints);
  for (let from = 0; from < gridPoints; from++) {
    const weight = weights[from]!;
    if (weight === 0) continue;
    for (let to = 0; to < gridPoints; to++) smooth[to]! += weight * kernel[Math.abs(from - to)]!;
  }
  const peak = smooth.reduce((highest, value) => Math.max(highest, value), 0);
  return Array.from({ length: densityPoints }, (_, i) => {
    const at = (i * (gridPoints - 1)) / (densityPoints - 1);
    const left = Math.min(gridPoints - 2, Math.floor(at));
    const value = smooth[left]! + (smooth[left + 1]! - smooth[left]!) * (at - left);
    return Number((value / peak).toFixed(4));
  });
}

function share(weights: Float64Array, at: number, weight: number): void {
  const left = Math.min(gridPoints - 2, Math.floor(at));
  const right = at - left;
  weights[left]! += weight * (1 - right);
  weights[left + 1]! += weight * right;
}

const minSpike = 0.25;

/**
 * Share of its height that a density keeps. Where nearly all values are alike, as the zeros of a gene, the density is a
 * spike thinner than `minBody`, and in full height it would look like a bar.
 */
export function spikeHeight(density: readonly number[], xs: readonly number[], minBody: number): number {
  const body = density.reduce((sum, thickness) => sum + (thickness > 0.5 ? 1 : 0), 0);
  const width = (body * (xs.at(-1)! - xs[0]!)) / density.length;
  return Math.min(1, Math.max(minSpike, width / minBody));
}

/** numpy's linear percentile of ascending `sorted` values and `zeros` further zeros; at least one in total. */
export function percentile(sorted: Float32Array | Float64Array, zeros: number, part: number): number {
  const count = sorted.length + zeros;
  let negative = 0;
  // Without further zeros every value stands where it is.
  if (zeros > 0) while (negative < sorted.length && sorted[negative]! < 0) negative++;
  const at = (rank: number): number => {
    if (rank < negative) return sorted[rank]!;
    return rank < negative + zeros ? 0 : sorted[rank - zeros]!;
  };
  const rank = part * (count - 1);
  const below = Math.floor(rank);
  const low = at(below);
  return low + (at(Math.min(count - 1, below + 1)) - low) * (rank - below);
}

/** Quartiles of ascending `sorted` values and `zeros` further zeros: numpy's linear percentiles. Null for no values. */
export function quartiles(
  sorted: Float32Array | Float64Array,
  zeros: number,
): [number, number, number] | null {
  if (sorted.length + zeros === 0) return null;
  const at = (part: number): number => percentile(sorted, zeros, part);
  return [at(0.25), at(0.5), at(0.75)];
}

/**
 * Offsets that keep the points of one row apart, for ascending `places`. Touching points form a bunch of different
 * heights: the first in the middle, the next just below, above and so on, closer together if they would exceed `reach`.
 */
export function swarmOffsets(places: readonly number[], radius: number, reach: number): number[] {
  const offsets: number[] = [];
  for (let start = 0; start < places.length;) {
    let end = start + 1;
    while (end < places.length && places[end]! - places[end - 1]! < 2 * radius) end++;
    const size = end - start;
    const spacing = size > 1 ? Math.min(2 * radius, (2 * reach) / (size - 1)) : 0;
    // An even number of points has no middle one, and hangs lower by half a step.
    const shift = size % 2 === 0 ? spacing / 2 : 0;
    for (let k = 0; k < size; k++) {
      const step = (k % 2 === 0 ? -1 : 1) * Math.ceil(k / 2);
      offsets.push(step * spacing - shift);
    }
    start = end;
  }
  return offsets;
}
