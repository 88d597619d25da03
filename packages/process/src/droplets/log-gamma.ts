/** Terms of Stirling's series: Bernoulli numbers over 2k (2k - 1). */
const SERIES = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];
const HALF_LOG_TWO_PI = 0.9189385332046727;

/** Natural logarithm of the gamma function of x > 0, to about 1e-13 of its value (Abramowitz & Stegun 6.1.40). */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < 12) {
    shift += Math.log(at);
    at++;
  }
  const inverse = 1 / at;
  const square = inverse * inverse;
  let series = 0;
  for (let term = SERIES.length - 1; term >= 0; term--) series = series * square + SERIES[term]!;
  return (at - 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + series * inverse - shift;
}
