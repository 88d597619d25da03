/** Number of passes that reduce the weight of points far off the curve. */
const robustPasses = 3;

/**
 * Cleveland's robust locally weighted regression (1979) of y on ascending x, evaluated at each x, with the numbers of
 * R's `lowess`: three robust passes; of points closer than a hundredth of the range only one is fitted, the others are
 * interpolated linearly. `span`: share of the points used at each.
 */
export function lowess(x: Float64Array, y: Float64Array, span: number): Float64Array {
  const count = x.length;
  if (count < 2) return y.slice();
  const near = Math.max(2, Math.min(count, Math.floor(span * count + 1e-7)));
  const local = new LocalFit(x, y, near);
  const residuals = new Float64Array(count);
  for (let pass = 0; ; pass++) {
    local.run();
    let total = 0;
    for (let i = 0; i < count; i++) {
      residuals[i] = Math.abs(y[i]! - local.curve[i]!);
      total += residuals[i]!;
    }
    if (pass === robustPasses) break;
    const scale = 6 * middle(residuals);
    // A curve through nearly all points: the others would lose all weight for nothing.
    if (scale < (1e-7 * total) / count) break;
    for (let i = 0; i < count; i++) local.robustness[i] = bisquare(residuals[i]!, scale);
  }
  return local.curve;
}

function middle(values: Float64Array): number {
  const rising = values.slice().sort();
  const half = rising.length >> 1;
  return rising.length % 2 === 1 ? rising[half]! : (rising[half - 1]! + rising[half]!) / 2;
}

function bisquare(residual: number, scale: number): number {
  if (residual <= 0.001 * scale) return 1;
  if (residual > 0.999 * scale) return 0;
  return (1 - (residual / scale) ** 2) ** 2;
}

class LocalFit {
  readonly curve: Float64Array;
  readonly robustness: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #near: number;
  readonly #range: number;
  readonly #weights: Float64Array;

  constructor(x: Float64Array, y: Float64Array, near: number) {
    this.#x = x;
    this.#y = y;
    this.#near = near;
    this.#range = x.at(-1)! - x[0]!;
    this.curve = new Float64Array(x.length);
    this.robustness = new Float64Array(x.length).fill(1);
    this.#weights = new Float64Array(x.length);
  }

  run(): void {
    const x = this.#x;
    const count = x.length;
    const { curve } = this;
    const step = 0.01 * this.#range;
    // The window [left, left + near) moves on while the next point is closer than the first of it.
    let left = 0;
    let last = -1;
    let at = 0;
    for (;;) {
      while (left + this.#near < count && x[at]! - x[left]! > x[left + this.#near]! - x[at]!) left++;
      curve[at] = this.#valueAt(at, left);
      for (let i = last + 1; i < at; i++) {
        const share = (x[i]! - x[last]!) / (x[at]! - x[last]!);
        curve[i] = share * curve[at]! + (1 - share) * curve[last]!;
      }
      last = at;
      // On to the last point within the step; points with the same x as this one share its value.
      const limit = x[last]! + step;
      for (at = last + 1; at < count && x[at]! <= limit; at++) {
        if (x[at] !== x[last]) continue;
        curve[at] = curve[last]!;
        last = at;
      }
      if (last >= count - 1) return;
      at = Math.max(last + 1, at - 1);
    }
  }

  /** Weighted line through the neighbours of a point, at its x; its y if no neighbour has weight. */
  #valueAt(at: number, left: number): number {
    const [x, y, weights] = [this.#x, this.#y, this.#weights];
    const here = x[at]!;
    const reach = Math.max(here - x[left]!, x[left + this.#near - 1]! - here);
    let sum = 0;
    let end = left;
    // Beyond the window, too: points with the x of its last one count as well.
    for (; end < x.length; end++) {
      const distance = Math.abs(x[end]! - here);
      weights[end] = 0;
      if (distance <= 0.999 * reach) {
        // Multiplied out: a power takes ten times as long.
        const share = distance / reach;
        const rest = 1 - share * share * share;
        const tricube = distance <= 0.001 * reach ? 1 : rest * rest * rest;
        weights[end] = tricube * this.robustness[end]!;
        sum += weights[end]!;
      } else if (x[end]! > here) break;
    }
    if (sum <= 0) return y[at]!;
    let mean = 0;
    for (let i = left; i < end; i++) mean += (weights[i]! / sum) * x[i]!;
    let spread = 0;
    for (let i = left; i < end; i++) spread += (weights[i]! / sum) * (x[i]! - mean) ** 2;
    // Points so close together that no slope can be told have their mean.
    const slope = reach > 0 && Math.sqrt(spread) > 0.001 * this.#range ? (here - mean) / spread : 0;
    let value = 0;
    for (let i = left; i < end; i++) value += (weights[i]! / sum) * (1 + slope * (x[i]! - mean)) * y[i]!;
    return value;
  }
}
