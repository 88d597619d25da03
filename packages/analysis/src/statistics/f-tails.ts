import { logBeta, logGamma } from './log-gamma.ts';

const tolerance = 1e-16;
/** Far more terms than an expansion needs where it is used. */
const maxTerms = 100_000;
const tiny = 1e-300;

/** The probabilities that a value is above and below another, as logarithms: no tail is too small for them. */
export interface LogTails {
  readonly upper: number;
  readonly lower: number;
}

/**
 * Tails of Fisher's F distribution beyond `f` ≥ 0 for positive degrees of freedom, whole or not. Those below the line
 * may be infinite: then `degrees` · f has the chi-square distribution.
 */
export function logFTails(f: number, degrees: number, below: number): LogTails {
  if (!(f >= 0) || !(degrees > 0) || !(below > 0)) return { upper: NaN, lower: NaN };
  if (f === 0) return { upper: 0, lower: -Infinity };
  if (f === Infinity) return { upper: -Infinity, lower: 0 };
  if (below === Infinity) return logGammaTails(degrees / 2, (degrees / 2) * f);
  const odds = (degrees / below) * f;
  const [x, y] = odds === Infinity ? [1, 0] : [odds / (1 + odds), 1 / (1 + odds)];
  return logBetaTails({ x, y, logX: -Math.log1p(1 / odds), logY: -Math.log1p(odds) }, degrees / 2, below / 2);
}

/** Probability of more than `f`. */
export function fUpperTail(f: number, degrees: number, below: number): number {
  return Math.exp(logFTails(f, degrees, below).upper);
}

/** Logarithm of the density of Fisher's F at f > 0; the degrees below the line may be infinite. */
export function logFDensity(f: number, degrees: number, below: number): number {
  const a = degrees / 2;
  if (below === Infinity) return a * Math.log(a) + (a - 1) * Math.log(f) - a * f - logGamma(a);
  const ratio = degrees / below;
  return (
    a * Math.log(ratio) +
    (a - 1) * Math.log(f) -
    (a + below / 2) * Math.log1p(ratio * f) -
    logBeta(a, below / 2)
  );
}

/** x of a beta distribution with y = 1 - x and their logarithms, each with all its digits. */
interface BetaPlace {
  readonly x: number;
  readonly y: number;
  readonly logX: number;
  readonly logY: number;
}

function logBetaTails({ x, y, logX, logY }: BetaPlace, a: number, b: number): LogTails {
  const common = a * logX + b * logY - logBeta(a, b);
  // The fraction converges on this side of the mean; the other tail is the rest.
  if (x < (a + 1) / (a + b + 2))
    return withRest(common - Math.log(a) + Math.log(betaFraction(x, a, b)), 'lower');
  return withRest(common - Math.log(b) + Math.log(betaFraction(y, b, a)), 'upper');
}

function withRest(logTail: number, side: 'lower' | 'upper'): LogTails {
  const known = Math.min(0, logTail);
  const rest = known > -Math.LN2 ? Math.log(-Math.expm1(known)) : Math.log1p(-Math.exp(known));
  return side === 'lower' ? { lower: known, upper: rest } : { upper: known, lower: rest };
}

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz and Thompson. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = guarded(1 - ((a + b) * x) / (a + 1));
  d = 1 / d;
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

/** Tails of the gamma distribution of shape `a`: its series (DLMF 8.7.1) or continued fraction (8.9.2). */
function logGammaTails(a: number, x: number): LogTails {
  const common = a * Math.log(x) - x - logGamma(a);
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < maxTerms && term > sum * tolerance; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return withRest(common + Math.log(sum), 'lower');
  }
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / guarded(b);
  let fraction = d;
  for (let n = 1; n < maxTerms; n++) {
    b += 2;
    const numerator = -n * (n - a);
    d = 1 / guarded(numerator * d + b);
    c = guarded(b + numerator / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) <= tolerance) break;
  }
  return withRest(common + Math.log(fraction), 'upper');
}

function guarded(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}
