import type { SpecOf } from '../plot-words.ts';
import type { runningScoreWords } from './words.ts';

export interface RunningScoreSpec extends SpecOf<typeof runningScoreWords> {
  curve: readonly (readonly [number, number])[];
  hits: readonly number[];
  metricName: string;
  /** Sampled metric: a ranking position and a value each. */
  metric: readonly (readonly [number, number])[];
  /** Position where the metric changes from positive to negative; absent if it does not. */
  zeroAt?: number;
}
