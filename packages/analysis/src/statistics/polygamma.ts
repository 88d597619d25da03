/** From here on the asymptotic series below are exact to double precision. */
export const seriesFrom = 12;

export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < seriesFrom; at++) sum -= 1 / at;
  return sum + Math.log(at) - 0.5 / at - digammaTail(at);
}

/** log x - 1 / 2x - digamma(x), for x from 12: small, so that its differences keep their precision. */
export function digammaTail(x: number): number {
  const u = 1 / (x * x);
  return u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132 - u * (691 / 32_760))))));
}

export function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < seriesFrom; at++) sum += 1 / (at * at);
  const u = 1 / (at * at);
  const tail = u * (1 / 6 - u * (1 / 30 - u * (1 / 42 - u * (1 / 30 - u * (5 / 66 - u * (691 / 2730))))));
  return sum + (1 + 0.5 / at + tail) / at;
}

function tetragamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < seriesFrom; at++) sum -= 2 / (at * at * at);
  const u = 1 / (at * at);
  const tail = u * (1 / 2 - u * (1 / 6 - u * (1 / 6 - u * (3 / 10 - u * (5 / 6)))));
  return sum - u * (1 + 1 / at + tail);
}

/**
 * Inverse of trigamma, by Newton's method for 1 / trigamma, which is convex and nearly linear and thus converges from
 * below (Smyth 2004, appendix). Infinity for 0.
 */
export function trigammaInverse(value: number): number {
  // Beyond these the first term of the series says as much as a double can hold.
  if (value > 1e7) return 1 / Math.sqrt(value);
  if (value < 1e-6) return 1 / value;
  let x = 0.5 + 1 / value;
  for (let step = 0; step < 50; step++) {
    const current = trigamma(x);
    const change = (current * (1 - current / value)) / tetragamma(x);
    x += change;
    if (Math.abs(change) < 1e-13 * x) break;
  }
  return x;
}
