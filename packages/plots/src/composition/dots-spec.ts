import type { CompositionFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { compositionDotsWords } from './words.ts';

export interface CompositionDotsInput extends CompositionFigure {
  readonly cautions?: readonly Caution[];
}

export interface CompositionDotsSpec extends SpecOf<typeof compositionDotsWords, 'groups', SampleFigureSpec> {
  pairs?: readonly (readonly [number, number])[];
  /** Drawn groups; shares from 0 to 1. */
  groups: readonly {
    label: string;
    shares: readonly number[];
    means: Readonly<Record<Side, number>>;
    effect: number;
    adjustedP: number;
  }[];
}
