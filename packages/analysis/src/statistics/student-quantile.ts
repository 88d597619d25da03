import { findRoot } from './find-root.ts';
import { studentTwoSidedTail } from './tails.ts';

/**
 * The t that Student's distribution exceeds in size with the probability `tail` from 0 to 1: the inverse of
 * `studentTwoSidedTail`. NaN for NaN and for degrees of freedom that are not positive.
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
