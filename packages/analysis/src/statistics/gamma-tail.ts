import { logGamma } from './log-gamma.ts';
import { normalUpperTail } from './tails.ts';

const tolerance = 1e-16;
/** Far more terms than either expansion needs; a bound for hostile input. */
const maxTerms = 20_000;

/** Upper tail of the gamma distribution with shape a > 0 beyond x ≥ 0: the regularised incomplete gamma function Q(a, x). */
export function gammaUpperTail(a: number, x: number): number {
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  const common = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - common * series(a, x) : common * fraction(a, x);
}

/** Series of the lower tail (DLMF 8.7.1); all terms are positive. */
function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < maxTerms && term > sum * tolerance; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/**
 * Continued fraction of the upper tail (DLMF 8.9.2, contracted) by Lentz and Thompson. All partial denominators are
 * positive.
 */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < maxTerms; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    const step = c * d;
    value *= step;
    if (Math.abs(step - 1) < tolerance * 2) break;
  }
  return value;
}

/** Less skewed distributions are as good as normal, and have too many terms. */
const minSkewness = 1e-3;

/**
 * Upper tail beyond z of Pearson's type III distribution with the mean 0, the variance 1 and a positive skewness: a
 * gamma distribution that is moved. NaN for NaN.
 */
export function skewedUpperTail(z: number, skewness: number): number {
  if (Number.isNaN(z) || Number.isNaN(skewness)) return NaN;
  if (skewness < minSkewness) return normalUpperTail(z);
  const shape = 4 / skewness ** 2;
  return gammaUpperTail(shape, Math.max(0, shape + z * Math.sqrt(shape)));
}
