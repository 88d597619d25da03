const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);
/** From here on Stirling's series is exact to double precision. */
const seriesFrom = 12;

export function logGamma(x: number): number {
  let product = 1;
  let at = x;
  for (; at < seriesFrom; at++) product *= at;
  return (at - 0.5) * Math.log(at) - at + halfLogTwoPi + stirling(at) - Math.log(product);
}

/** Remainder of Stirling's formula, for x from 12. */
function stirling(x: number): number {
  const u = 1 / (x * x);
  return (
    (1 / 12 - u * (1 / 360 - u * (1 / 1260 - u * (1 / 1680 - u * (1 / 1188 - u * (691 / 360_360)))))) / x
  );
}

/**
 * Log beta function, for a, b > 0. For large arguments Stirling's large terms are cancelled analytically, so that no
 * digits are lost.
 */
export function logBeta(a: number, b: number): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  if (large < seriesFrom) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const sum = small + large;
  const rest = stirling(large) - stirling(sum) + (large - 0.5) * Math.log1p(-small / sum);
  if (small < seriesFrom) return logGamma(small) + small - small * Math.log(sum) + rest;
  return (small - 0.5) * Math.log(small) + halfLogTwoPi + stirling(small) - small * Math.log(sum) + rest;
}
