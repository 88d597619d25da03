import { type DensityProblem, fewestCells } from './spec.ts';

type CellDensity = { scaled: Float64Array } | { problem: DensityProblem };

/** If the variance across a line is below this share, it is rounding: the points are on the line. */
const minSpread = 1e-12;
/** If the minimum density is this close to the maximum, the differences are rounding. */
const minRange = 1e-4;

/**
 * Gaussian kernel density of points in a plane at each of them, scaled from 0 (minimum) to 1 (maximum), as in
 * `sc.tl.embedding_density`: the kernel is that of `scipy.stats.gaussian_kde`, the covariance of the points (n − 1)
 * times n^(-1/3), Scott's factor squared. The sum over all pairs is computed on a grid, in coordinates in which the
 * kernel is round and 1 wide: points are distributed to the 8 by 8 nodes around them by Lagrange interpolation weights,
 * the nodes are smoothed along both axes, and the same weights read the result. At six nodes per width the
 * interpolation is within 3e-7 of the height of a kernel, and scaled densities are within 1e-6 of the sum over all
 * pairs, for any number of points (times highest / (highest − lowest) if these are close); the cost grows with the
 * points and the nodes, not with the pairs. Otherwise returns the problem: `few` points, all on a line (`singular`),
 * all equally dense (`even`), or spread over more nodes than memory holds (`wide`).
 */
export function cellDensity(xs: Float64Array, ys: Float64Array): CellDensity {
  if (xs.length < fewestCells) return { problem: 'few' };
  const round = inKernelWidths(xs, ys);
  if (round === undefined) return { problem: 'singular' };
  const [across, up] = [axisOf(round.us), axisOf(round.vs)];
  if (across.nodes.length * up.nodes.length > maxNodes) return { problem: 'wide' };
  const values = densities(across, up);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < low) low = values[i]!;
    if (values[i]! > high) high = values[i]!;
  }
  if (!(high - low > minRange * high)) return { problem: 'even' };
  const span = high - low;
  for (let i = 0; i < values.length; i++) values[i] = (values[i]! - low) / span;
  return { scaled: values };
}

/** Coordinates in which the kernel is standard normal (by the inverse Cholesky factor of its covariance). */
function inKernelWidths(
  xs: Float64Array,
  ys: Float64Array,
): { us: Float64Array; vs: Float64Array } | undefined {
  const count = xs.length;
  let [sumX, sumY] = [0, 0];
  for (let i = 0; i < count; i++) {
    sumX += xs[i]!;
    sumY += ys[i]!;
  }
  const [meanX, meanY] = [sumX / count, sumY / count];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [dx, dy] = [xs[i]! - meanX, ys[i]! - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const slope = xy / xx;
  const left = yy - slope * xy;
  if (!(xx > 0) || !(left > minSpread * yy)) return undefined;
  const scott = count ** (-1 / 6);
  const [widthX, widthY] = [scott * Math.sqrt(xx / (count - 1)), scott * Math.sqrt(left / (count - 1))];
  return {
    us: xs.map((x) => (x - meanX) / widthX),
    vs: ys.map((y, i) => (y - meanY - slope * (xs[i]! - meanX)) / widthY),
  };
}

const nodesPerWidth = 6;
/** Beyond seven widths a kernel is less than 3e-11 of its height. */
const reach = 7 * nodesPerWidth;
const kernel = Float64Array.from({ length: reach + 1 }, (_, k) => Math.exp(-0.5 * (k / nodesPerWidth) ** 2));
/** Maximum nodes per category: 64 MB, and as much again during smoothing. */
const maxNodes = 8_000_000;

/** Nodes around a place, and how many of them are below it. */
const stencil = 8;
const below = 3;

interface Axis {
  /** Ascending integers: only the nodes that some point contributes to. */
  nodes: Int32Array;
  /** Index of each point's first node in `nodes`; the others follow. */
  first: Int32Array;
  /** Distance of each point from the node below it, 0 to 1. */
  beyond: Float64Array;
}

function axisOf(places: Float64Array): Axis {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < places.length; i++) {
    if (places[i]! < low) low = places[i]!;
    if (places[i]! > high) high = places[i]!;
  }
  const origin = Math.floor(low * nodesPerWidth) - below;
  const isNode = new Uint8Array(Math.floor(high * nodesPerWidth) - origin + stencil);
  const first = new Int32Array(places.length);
  const beyond = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const at = places[i]! * nodesPerWidth;
    const node = Math.floor(at);
    beyond[i] = at - node;
    first[i] = node - below - origin;
    isNode.fill(1, first[i], first[i]! + stencil);
  }
  const placeOf = new Int32Array(isNode.length);
  let count = 0;
  for (let node = 0; node < isNode.length; node++) if (isNode[node] === 1) placeOf[node] = count++;
  const nodes = new Int32Array(count);
  for (let node = 0; node < isNode.length; node++) if (isNode[node] === 1) nodes[placeOf[node]!] = node;
  for (let i = 0; i < first.length; i++) first[i] = placeOf[first[i]!]!;
  return { nodes, first, beyond };
}

function densities(across: Axis, up: Axis): Float64Array {
  const width = across.nodes.length;
  const [alongX, alongY] = [new Float64Array(stencil), new Float64Array(stencil)];
  const shared = new Float64Array(width * up.nodes.length);
  const count = across.first.length;
  for (let i = 0; i < count; i++) {
    setWeights(alongX, across.beyond[i]!);
    setWeights(alongY, up.beyond[i]!);
    for (let row = 0, at = up.first[i]! * width + across.first[i]!; row < stencil; row++, at += width) {
      const weight = alongY[row]!;
      for (let k = 0; k < stencil; k++) shared[at + k]! += weight * alongX[k]!;
    }
  }
  const smooth = smoothed(shared, across.nodes, up.nodes);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    setWeights(alongX, across.beyond[i]!);
    setWeights(alongY, up.beyond[i]!);
    let value = 0;
    for (let row = 0, at = up.first[i]! * width + across.first[i]!; row < stencil; row++, at += width) {
      let sum = 0;
      for (let k = 0; k < stencil; k++) sum += smooth[at + k]! * alongX[k]!;
      value += sum * alongY[row]!;
    }
    values[i] = value;
  }
  return values;
}

/** Products of the distances of a stencil node from all others. */
const spacings = Float64Array.from({ length: stencil }, (_, i) => {
  let product = 1;
  for (let j = 0; j < stencil; j++) if (j !== i) product *= i - j;
  return product;
});
const productsBefore = new Float64Array(stencil);

/** Lagrange weights of the stencil nodes for a place between the middle two. */
function setWeights(weights: Float64Array, beyond: number): void {
  const at = beyond + below;
  let product = 1;
  for (let i = 0; i < stencil; i++) {
    productsBefore[i] = product;
    product *= at - i;
  }
  product = 1;
  for (let i = stencil - 1; i >= 0; i--) {
    weights[i] = (productsBefore[i]! * product) / spacings[i]!;
    product *= at - i;
  }
}

/** Smooths the nodes along the rows, then across them; omitted nodes are 0. */
function smoothed(shared: Float64Array, columns: Int32Array, rows: Int32Array): Float64Array {
  const width = columns.length;
  const alongRows = new Float64Array(shared.length);
  for (let row = 0; row < rows.length; row++) {
    const start = row * width;
    let from = 0;
    for (let column = 0; column < width; column++) {
      const weight = shared[start + column]!;
      if (weight === 0) continue;
      const node = columns[column]!;
      while (node - columns[from]! > reach) from++;
      for (let to = from; to < width; to++) {
        const distance = Math.abs(columns[to]! - node);
        if (distance > reach) break;
        alongRows[start + to]! += weight * kernel[distance]!;
      }
    }
  }
  const smooth = shared.fill(0);
  let from = 0;
  for (let row = 0; row < rows.length; row++) {
    while (rows[row]! - rows[from]! > reach) from++;
    const target = row * width;
    for (let other = from; other < rows.length; other++) {
      const distance = Math.abs(rows[other]! - rows[row]!);
      if (distance > reach) break;
      const weight = kernel[distance]!;
      const source = other * width;
      for (let column = 0; column < width; column++)
        smooth[target + column]! += weight * alongRows[source + column]!;
    }
  }
  return smooth;
}
