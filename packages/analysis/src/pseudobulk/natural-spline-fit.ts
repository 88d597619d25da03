import { quantileOf } from '../statistics/quantile.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

/**
 * Least squares of y by a natural cubic spline of x: `degrees` ≥ 2 knots, at the ends of x and at its quantiles between
 * them, as R's `lm(y ~ ns(x, df = degrees, intercept = TRUE))`. The fitted values, and the rank, which is below
 * `degrees` where knots coincide.
 */
export function naturalSplineFit(
  x: Float64Array,
  y: Float64Array,
  degrees: number,
): { fitted: Float64Array; rank: number } {
  const rising = x.slice().sort();
  const [low, high] = [rising[0]!, rising.at(-1)!];
  // On a unit range the powers are of one size.
  const unit = x.map((value) => (value - low) / (high - low));
  const knots = Array.from(
    { length: degrees },
    (_, at) => (quantileOf(rising, at / (degrees - 1)) - low) / (high - low),
  );
  const distinct = [...new Set(knots)];
  const rank = distinct.length;
  const factor = new OrthogonalFactor(x.length, rank);
  for (let i = 0; i < x.length; i++) {
    factor.columns[i] = 1;
    factor.columns[x.length + i] = unit[i]!;
    for (let k = 0; k < rank - 2; k++) {
      factor.columns[(k + 2) * x.length + i] =
        bend(unit[i]!, k, distinct) - bend(unit[i]!, rank - 2, distinct);
    }
  }
  const columns = factor.columns.slice();
  factor.factor();
  const effects = y.slice();
  factor.rotate(effects);
  factor.solve(effects);
  const fitted = new Float64Array(x.length);
  for (let k = 0; k < rank; k++) {
    for (let i = 0; i < x.length; i++) fitted[i]! += effects[k]! * columns[k * x.length + i]!;
  }
  return { fitted, rank };
}

/** The truncated cubes of one knot and the last, so that they cancel beyond it (Hastie and others 2009, section 5.2.1). */
function bend(x: number, knot: number, knots: readonly number[]): number {
  const [own, last] = [knots[knot]!, knots.at(-1)!];
  return (Math.max(0, x - own) ** 3 - Math.max(0, x - last) ** 3) / (last - own);
}
