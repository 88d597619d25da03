import { scoreClip } from '../drawing/expression-domain.ts';
import type { CellMask } from '@cellfolio/model';

/** Range of a score's colour bar: its 1st to 99th percentile if outliers would stretch it. */
export interface ScoreDomain {
  low: number;
  high: number;
  /** Exact minimum and maximum score. */
  min: number;
  max: number;
  /** True if scores below `low` take the first shade; the bar then shows `≤`. */
  clippedLow: boolean;
  /** True if scores above `high` take the last shade; the bar then shows `≥`. */
  clippedHigh: boolean;
}

/** With fewer scored cells every score counts, and the bar ends at the minimum and the maximum. */
const clipFromCells = 200;

/** Range of the finite scores among the cells of the mask, and their number; 0 to 0 for none. */
export function scoreDomain(scores: Float64Array, mask?: CellMask): { domain: ScoreDomain; scored: number } {
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
  if (scored < clipFromCells || !(max > min)) return { scored, domain: whole };
  const low = percentile(finite, scoreClip.low.share);
  const high = percentile(finite, scoreClip.high.share);
  // Saving less than a tenth of the bar is not worth a clipped end; one score of nearly all cells leaves none.
  const minClip = 0.1 * (max - min);
  const clippedLow = low - min > minClip && low < high;
  const clippedHigh = max - high > minClip && low < high;
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
  const finite = new Float64Array(scores.length);
  let count = 0;
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    // NaN or infinite: the difference from itself is NaN.
    if (score - score === 0 && (bits === undefined || bits[cell] === 1)) finite[count++] = score;
  }
  return finite.subarray(0, count);
}

/**
 * Value at `rank` (0 for the minimum) of the sorted `values`, which are reordered in place: none before `rank` is
 * greater afterwards, none after it less. Quickselect: linear time, where sorting 100,000 scores would take longer than
 * drawing them.
 */
export function orderStatistic(values: Float64Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left]!, values[(left + right) >> 1]!, values[right]!);
    let low = left;
    let high = right;
    // Equal values stop both sides, so that many of them are shared out instead of making one side empty.
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low <= high) {
        const swapped = values[low]!;
        values[low++] = values[high]!;
        values[high--] = swapped;
      }
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else break;
  }
  return values[rank]!;
}

/** numpy's linear percentile of finite values, `part` 0 to 1; reorders the values. NaN for none. */
export function percentile(values: Float64Array, part: number): number {
  const rank = part * (values.length - 1);
  const below = Math.floor(rank);
  const low = orderStatistic(values, below);
  if (rank === below) return low;
  // All that stand behind are no less, so the next is the least of them.
  let next = Infinity;
  for (let i = below + 1; i < values.length; i++) if (values[i]! < next) next = values[i]!;
  return low + (next - low) * (rank - below);
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
