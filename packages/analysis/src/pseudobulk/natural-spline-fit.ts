import { quantileOf } from '../statistics/quantile.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

/**
 * Least squares of y on a natural cubic spline of x with `degrees` ≥ 2 knots, at the ends of x and at quantiles between
 * them, as R's `lm(y ~ ns(x, df = degrees, intercept = TRUE))`. Returns fitted values at x, or at `places`, and the
 * rank, which is below `degrees` if knots coincide.
 */
export function naturalSplineFit(
  x: Float64Array,
  y: Float64Array,
  degrees: number,
  places: Float64Array = x,
): { fitted: Float64Array; rank: number } {
  const rising = x.slice().sort();
  const [low, high] = [rising[0]!, rising.at(-1)!];
  // On a unit range the powers are of one size.
  const unitOf = (value: number) => (value - low) / (high - low);
  const knots = Array.from({ length: degrees }, (_, at) => unitOf(quantileOf(rising, at / (degrees - 1))));
  const distinct = [...new Set(knots)];
  const rank = distinct.length;
  const basisAt = (value: number, k: number) => {
    const unit = unitOf(value);
    if (k < 2) return k === 0 ? 1 : unit;
    return bend(unit, k - 2, distinct) - bend(unit, rank - 2, distinct);
  };
  const factor = new OrthogonalFactor(x.length, rank);
  for (let k = 0; k < rank; k++) {
    for (let i = 0; i < x.length; i++) factor.columns[k * x.length + i] = basisAt(x[i]!, k);
  }
  factor.factor();
  const effects = y.slice();
  factor.rotate(effects);
  factor.solve(effects);
  const fitted = places.map((value) => {
    let sum = 0;
    for (let k = 0; k < rank; k++) sum += effects[k]! * basisAt(value, k);
    return sum;
  });
  return { fitted, rank };
}

/** Truncated cubes of one knot and the last, combined to cancel beyond it (Hastie and others 2009, section 5.2.1). */
function bend(x: number, knot: number, knots: readonly number[]): number {
  const [own, last] = [knots[knot]!, knots.at(-1)!];
  return (Math.max(0, x - own) ** 3 - Math.max(0, x - last) ** 3) / (last - own);
}
