import { betaFraction } from './beta-fraction.ts';
import { findRoot } from './find-root.ts';

const rootTwoPi = Math.sqrt(2 * Math.PI);
/** Below this the series has few terms and 1/2 minus it loses two digits; above it the continued fraction has few. */
const seriesLimit = 2.5;

/**
 * Upper tail P(Z > z) of the standard normal distribution, with a relative error of about 1e-13 within the range of
 * doubles (z up to 38). NaN for NaN.
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

/**
 * Laplace's continued fraction z + 1/(z + 2/(z + 3/(z + …))), evaluated from its end, with enough terms for an error
 * below 1e-15.
 */
function laplaceFraction(z: number): number {
  let fraction = z;
  for (let n = Math.ceil(400 / (z * z)) + 12; n > 0; n--) fraction = z + n / fraction;
  return fraction;
}

const rootPi = Math.sqrt(Math.PI);
const tolerance = 1e-15;
/** Far more terms than either expansion needs; a bound for hostile input. */
const maxTermsSummed = 20_000;

/**
 * Two-sided tail P(|T| > |t|) of Student's t distribution for any positive degrees of freedom, integer or not. The
 * relative error is near 1e-12 within the range of doubles, so that p-values of 1e-300 can be compared. Infinite
 * degrees of freedom count as 1e300; NaN for NaN or non-positive degrees of freedom.
 */
export function studentTwoSidedTail(t: number, degrees: number): number {
  if (Number.isNaN(t) || !(degrees > 0)) return NaN;
  if (t === 0) return 1;
  const size = Math.abs(t);
  if (size === Infinity) return 0;
  // The tail is the regularised incomplete beta function I_x(a, 1/2) with a = degrees / 2, x = degrees / (degrees + t²).
  const a = Math.min(degrees, 1e300) / 2;
  const ratio = (size / (2 * a)) * size;
  const y = ratio === Infinity ? 1 : ratio / (1 + ratio);
  const x = 1 / (1 + ratio);
  // x^a (1 - x)^(1/2) / B(a, 1/2): log1p keeps all digits where t² is small beside the degrees of freedom.
  const common = Math.exp(-a * logOnePlus(size, 2 * a, ratio)) * Math.sqrt(y) * (gammaStep(a) / rootPi);
  if (y > Math.min(0.5, 3 / (a + 2.5))) return common * (betaFraction(x, a, 0.5) / a);
  return Math.max(0, 1 - 2 * common * betaSeries(a, y));
}

function logOnePlus(size: number, degrees: number, ratio: number): number {
  return ratio === Infinity ? 2 * Math.log(size) - Math.log(degrees) : Math.log1p(ratio);
}

/** Γ(a + 1/2) / Γ(a): asymptotic series from a = 64 on, the recurrence a · … / (a + 1/2) below. */
function gammaStep(a: number): number {
  let shifted = a;
  let factor = 1;
  while (shifted < 64) {
    factor *= shifted / (shifted + 0.5);
    shifted += 1;
  }
  const u = 1 / shifted;
  const series =
    1 +
    u *
      (-1 / 8 +
        u * (1 / 128 + u * (5 / 1024 + u * (-21 / 32_768 + u * (-399 / 262_144 + u * (869 / 4_194_304))))));
  return factor * Math.sqrt(shifted) * series;
}

/** Power series of I_y(1/2, a) without its factor: all terms positive, few if y is small relative to 1 / a. */
function betaSeries(a: number, y: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 0; n < maxTermsSummed && term > sum * tolerance; n++) {
    term *= ((a + 0.5 + n) / (1.5 + n)) * y;
    sum += term;
  }
  return sum;
}

/**
 * Inverse of `studentTwoSidedTail`: the |t| exceeded with probability `tail` (0 to 1). NaN for NaN and for non-positive
 * degrees of freedom.
 */
export function studentQuantile(tail: number, degrees: number): number {
  if (!(tail >= 0 && tail <= 1) || !(degrees > 0)) return NaN;
  if (tail === 0) return Infinity;
  if (tail === 1) return 0;
  // The logarithm of the tail is nearly straight over that of t where t is large.
  const excess = (logT: number) => Math.log(studentTwoSidedTail(Math.exp(logT), degrees)) - Math.log(tail);
  let [low, high] = [-1, 1];
  while (excess(low) < 0) low *= 2;
  while (excess(high) > 0) high *= 2;
  return Math.exp(findRoot(excess, [low, high]));
}
