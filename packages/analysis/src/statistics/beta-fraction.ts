const tolerance = 1e-15;
/** Far more terms than needed; a bound for hostile input. */
const maxTerms = 20_000;
const tiny = 1e-300;

/**
 * Continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz and Thompson: I_x(a, b) without its factor
 * x^a (1 - x)^b / (a B(a, b)). Converges in few terms for x below (a + 1) / (a + b + 2).
 */
export function betaFraction(x: number, a: number, b: number): number {
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
