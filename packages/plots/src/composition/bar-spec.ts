import type { LegendGroup } from '../drawing/figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { compositionBarWords } from './words.ts';

export interface CompositionBarSpec extends SpecOf<typeof compositionBarWords, 'show' | 'parts'> {
  show: 'share' | 'count';
  parts: readonly LegendGroup[];
}
