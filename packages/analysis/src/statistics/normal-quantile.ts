import { normalUpperTail } from './tails.ts';

const rootTwoPi = Math.sqrt(2 * Math.PI);
/** Newton steps to convergence: each squares an initial error of 5e-4. */
const steps = 3;
/** Smaller tails are raised to this: near the smallest double they lose precision. */
const minTail = 1e-300;

/**
 * Inverse of `normalUpperTail`: the z that a standard normal variable exceeds with probability `tail` (0 to 1), to
 * about 1e-13 for tails from 1e-300.
 */
export function normalUpperQuantile(tail: number): number {
  if (!(tail >= 0 && tail <= 1)) return NaN;
  if (tail > 0.5) return -normalUpperQuantile(1 - tail);
  if (tail === 0) return Infinity;
  const sought = Math.max(tail, minTail);
  let z = firstGuess(sought);
  for (let step = 0; step < steps; step++) {
    // On the logarithm of the tail, which is nearly straight over z².
    const own = normalUpperTail(z);
    z += (Math.log(own / sought) * own * rootTwoPi) / Math.exp(-0.5 * z * z);
  }
  return z;
}

/** Rational approximation 26.2.23 of Abramowitz and Stegun, to 4.5e-4. */
function firstGuess(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  return t - above / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
