/** Parameters of 1 / (1 + a d^(2b)), the probability that cells at distance d on the map are neighbours. */
export interface FallOff {
  a: number;
  b: number;
}

/** As in umap-learn: number of distances up to three times the spread, which is 1. */
const points = 300;
const farthest = 3;
const rounds = 100;
const tolerance = 1e-12;

/**
 * Least-squares fit to a curve that is 1 up to the minimum distance and then falls as exp(-(d - minimum)): the result
 * of umap-learn's `find_ab_params` with scipy's `curve_fit`; here by Levenberg-Marquardt.
 */
export function fallOffOf(minimumDistance: number): FallOff {
  let [a, b, damping] = [1, 1, 1e-3];
  let error = sums(a, b, minimumDistance).error;
  for (let round = 0; round < rounds; round++) {
    const { aa, ab, bb, ar, br } = sums(a, b, minimumDistance);
    const [first, last] = [aa * (1 + damping), bb * (1 + damping)];
    const determinant = first * last - ab * ab;
    const stepA = (ar * last - br * ab) / determinant;
    const stepB = (br * first - ar * ab) / determinant;
    const tried = sums(a + stepA, b + stepB, minimumDistance).error;
    // Also where it is no number.
    if (!(tried <= error && a + stepA > 0 && b + stepB > 0)) {
      damping *= 10;
      continue;
    }
    [a, b, error, damping] = [a + stepA, b + stepB, tried, damping / 10];
    if (Math.abs(stepA) <= tolerance * a && Math.abs(stepB) <= tolerance * b) break;
  }
  return { a, b };
}

function sums(a: number, b: number, minimumDistance: number) {
  const sum = { error: 0, aa: 0, ab: 0, bb: 0, ar: 0, br: 0 };
  for (let point = 0; point < points; point++) {
    const distance = (farthest * point) / (points - 1);
    const target = distance < minimumDistance ? 1 : Math.exp(minimumDistance - distance);
    const power = distance ** (2 * b);
    const value = 1 / (1 + a * power);
    const byA = -power * value * value;
    const byB = distance === 0 ? 0 : -2 * a * power * Math.log(distance) * value * value;
    const residual = target - value;
    sum.error += residual * residual;
    sum.aa += byA * byA;
    sum.ab += byA * byB;
    sum.bb += byB * byB;
    sum.ar += byA * residual;
    sum.br += byB * residual;
  }
  return sum;
}
