import { betaFraction } from './beta-fraction.ts';
import { findRoot } from './find-root.ts';
import { gammaUpperTail } from './gamma-tail.ts';
import { logBeta } from './log-gamma.ts';

/**
 * Upper tail P(F > f) of Fisher's F distribution for any positive degrees of freedom, integer or not, to a relative
 * error of about 1e-10. With infinite `below` it is that of chi-square divided by its degrees. NaN for a negative f and
 * for non-positive degrees of freedom.
 */
export function fUpperTail(f: number, degrees: number, below: number): number {
  if (!(f >= 0) || !(degrees > 0 && degrees < Infinity) || !(below > 0)) return NaN;
  if (f === 0) return 1;
  if (below === Infinity) return gammaUpperTail(degrees / 2, (degrees / 2) * f);
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

/** Inverse of `fUpperTail`: the f that the F distribution exceeds with probability `tail`, between 0 and 1. */
export function fQuantile(tail: number, degrees: number, below: number): number {
  // Both tails are nearly straight over the logarithm of f, the upper one on a logarithm of its own.
  const excess = (log: number) => Math.log(fUpperTail(Math.exp(log), degrees, below) / tail);
  let [low, high] = [-1, 1];
  while (excess(low) < 0) low *= 2;
  while (excess(high) > 0) high *= 2;
  return Math.exp(findRoot(excess, [low, high]));
}
