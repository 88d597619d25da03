import { areCounts, type ValueStatistics } from '../transpose/value-statistics.ts';
import type { ScaleEvidence } from './judge-scale.ts';
import { LARGEST_LOGARITHM } from './sample-matrix.ts';

/**
 * What values look like: `log-normalised` to the natural base, `linear` normalised but no logarithms, `undecided` one of
 * these without any sign of which.
 */
export type Content =
  'counts' | 'log-normalised' | 'log2' | 'log10' | 'linear' | 'scaled' | 'undecided' | 'empty';

/** What the values are, by their range and by the evidence of their scale. */
export function contentOf(statistics: ValueStatistics, { judged }: ScaleEvidence): Content {
  if (statistics.entries === 0) return 'empty';
  if (areCounts(statistics)) return 'counts';
  if (statistics.negative > 0) return 'scaled';
  if (statistics.maximum > LARGEST_LOGARITHM) return 'linear';
  if (judged === undefined) return 'undecided';
  return judged.scale === 'log1p' ? 'log-normalised' : judged.scale;
}
