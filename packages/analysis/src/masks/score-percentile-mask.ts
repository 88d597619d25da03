import type { PercentileMask } from './gene-percentile-mask.ts';
import { interpolate, percentilePlace } from './linear-percentile.ts';
import { orderStatistics } from './order-statistics.ts';
import { checkPercentiles, type PercentileRange } from './percentile-range.ts';
import { withoutNaN } from './without-nan.ts';

/**
 * Keeps the cells whose score lies between two percentiles of the scores. A cell without a score (NaN) is never
 * kept and does not count in the percentiles: the thresholds are those of `np.nanpercentile(scores, [min, max])`,
 * to the last bit, and NaN where no cell has a score. Throws InvalidPercentiles.
 */
export function scorePercentileMask(scores: Float64Array, range: PercentileRange): PercentileMask {
  checkPercentiles(range);
  const [min, max] = scoreThresholds(scores, range);
  const bits = new Uint8Array(scores.length);
  let count = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    const kept = Number(score >= min) & Number(score <= max);
    bits[i] = kept;
    count += kept;
  }
  return { mask: { bits, count }, thresholds: [min, max] };
}

function scoreThresholds(scores: Float64Array, range: PercentileRange): [number, number] {
  const scored = withoutNaN(scores);
  if (scored.length === 0) return [NaN, NaN];
  const low = percentilePlace(range.min, scored.length);
  const high = percentilePlace(range.max, scored.length);
  const ranks = [...new Set([low.lower, low.upper, high.lower, high.upper])].sort((a, b) => a - b);
  const statistics = orderStatistics(scored, ranks);
  const at = (rank: number) => statistics[ranks.indexOf(rank)]!;
  const threshold = ({ lower, upper, fraction }: typeof low) =>
    interpolate(at(lower), at(upper), at(upper) - at(lower), fraction);
  return [threshold(low), threshold(high)];
}
