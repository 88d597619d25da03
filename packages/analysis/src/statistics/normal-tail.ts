const rootTwoPi = Math.sqrt(2 * Math.PI);
/** Below this the series has few terms and 1/2 minus it loses two digits; above it the fraction has few. */
const seriesLimit = 2.5;

/**
 * Upper tail of the standard normal distribution, P(Z > z), to about 1e-13 of its value as far as a double reaches
 * (z of 38). NaN for NaN.
 */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  if (z === Infinity) return 0;
  const density = Math.exp(-0.5 * z * z) / rootTwoPi;
  return z < seriesLimit ? 0.5 - density * seriesOf(z) : density / laplaceFraction(z);
}

/** z + z^3/3 + z^5/(3·5) + …, all terms positive. */
function seriesOf(z: number): number {
  const square = z * z;
  let term = z;
  let sum = z;
  for (let n = 3; term > sum * 1e-17; n += 2) {
    term *= square / n;
    sum += term;
  }
  return sum;
}

/** Laplace's continued fraction z + 1/(z + 2/(z + 3/(z + …))), evaluated from its end: n terms that leave less than 1e-15 of it. */
function laplaceFraction(z: number): number {
  let fraction = z;
  for (let n = Math.ceil(400 / (z * z)) + 12; n > 0; n--) fraction = z + n / fraction;
  return fraction;
}
