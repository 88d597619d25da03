import type { CellMask } from '@cellfolio/model';
import { percentile } from '../drawing/order-statistic.ts';

/** Range of the colour bar of a score: its 1st to 99th percentile where values beyond stretch it. */
export interface ScoreDomain {
  readonly low: number;
  readonly high: number;
  /** Exact least and greatest score. */
  readonly min: number;
  readonly max: number;
  /** True where scores below `low` take the first shade; the bar then says `≤`. */
  readonly clippedLow: boolean;
  /** True where scores above `high` take the last shade; the bar then says `≥`. */
  readonly clippedHigh: boolean;
}

/** Below this many scored cells every score counts, and the bar ends at the least and the greatest. */
const CLIP_FROM_CELLS = 200;
const LOW_PART = 0.01;
const HIGH_PART = 0.99;

/** Range of the finite scores among the cells of the mask, and how many they are; 0 to 0 for none. */
export function scoreDomain(
  scores: Float64Array,
  mask?: CellMask,
): { readonly domain: ScoreDomain; readonly scored: number } {
  const finite = finiteScores(scores, mask?.bits);
  const scored = finite.length;
  if (scored === 0) {
    return { scored, domain: { low: 0, high: 0, min: 0, max: 0, clippedLow: false, clippedHigh: false } };
  }
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < scored; i++) {
    const score = finite[i]!;
    if (score < min) min = score;
    if (score > max) max = score;
  }
  const whole = { low: min, high: max, min, max, clippedLow: false, clippedHigh: false };
  if (scored < CLIP_FROM_CELLS || !(max > min)) return { scored, domain: whole };
  const low = percentile(finite, LOW_PART);
  const high = percentile(finite, HIGH_PART);
  // Saving less than a tenth of the bar is not worth a clipped end; one score of nearly all cells leaves none.
  const least = 0.1 * (max - min);
  const clippedLow = low - min > least && low < high;
  const clippedHigh = max - high > least && low < high;
  const domain = {
    low: clippedLow ? low : min,
    high: clippedHigh ? high : max,
    min,
    max,
    clippedLow,
    clippedHigh,
  };
  return { scored, domain };
}

function finiteScores(scores: Float64Array, bits: Uint8Array | undefined): Float64Array {
  const kept = new Float64Array(scores.length);
  let count = 0;
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    // NaN or infinite: the difference from itself is NaN.
    if (score - score === 0 && (bits === undefined || bits[cell] === 1)) kept[count++] = score;
  }
  return kept.subarray(0, count);
}
