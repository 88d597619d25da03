import { betaFraction } from './beta-fraction.ts';
import { logBeta } from './log-gamma.ts';

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
