import type { SpecOf } from '../plot-words.ts';
import type { runningScoreWords } from './words.ts';

export interface RunningScoreSpec extends SpecOf<typeof runningScoreWords> {
  readonly curve: readonly (readonly [number, number])[];
  readonly hits: readonly number[];
  readonly metricName: string;
  /** Sampled metric: a ranking position and a value each. */
  readonly metric: readonly (readonly [number, number])[];
  /** Position where the metric changes from positive to negative; absent if it does not. */
  readonly zeroAt?: number;
}
