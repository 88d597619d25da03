import { logBeta } from './log-gamma.ts';

const tolerance = 1e-16;
/** Far more terms than the fraction needs on its side of the mean; a bound for hostile input. */
const maxTerms = 100_000;
const tiny = 1e-300;

/**
 * Upper tail of Fisher's F distribution, P(F > f), for any positive degrees of freedom, whole or not, to about 1e-10 of
 * its value. NaN for a negative f and for degrees of freedom that are not positive and finite.
 */
export function fUpperTail(f: number, degrees: number, below: number): number {
  if (!(f >= 0) || !(degrees > 0 && degrees < Infinity) || !(below > 0 && below < Infinity)) return NaN;
  if (f === 0) return 1;
  const odds = (degrees / below) * f;
  if (odds === Infinity) return 0;
  // The tail is the regularised incomplete beta function I_y(b, a).
  const [a, b] = [degrees / 2, below / 2];
  const [x, y] = [odds / (1 + odds), 1 / (1 + odds)];
  const common = Math.exp(-a * Math.log1p(1 / odds) - b * Math.log1p(odds) - logBeta(a, b));
  // The fraction converges on this side of the mean; the other tail is the rest.
  if (x < (a + 1) / (a + b + 2)) return Math.max(0, 1 - (common / a) * betaFraction(x, a, b));
  return (common / b) * betaFraction(y, b, a);
}

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz and Thompson. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / guarded(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < maxTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) <= tolerance) break;
  }
  return fraction;
}

function guarded(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}
