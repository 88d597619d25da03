import type { Caution } from '@cellfolio/model';
import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { compositionDotsWords } from './words.ts';

export interface CompositionDotsInput {
  a: string;
  b: string;
  groupTitle: string;
  test: string;
  transform: 'logit' | 'asin';
  samples: readonly { name: string; side: Side; cells: number }[];
  /** Indices of paired samples, that of A first; absent if samples are unpaired. */
  pairs?: readonly (readonly [number, number])[];
  /** Sorted by p-value, ascending. */
  categories: readonly {
    name: string;
    /** Per sample, from 0 to 1. */
    shares: ArrayLike<number>;
    /** A against B, on the scale of the test. */
    effect: number;
    adjustedP: number;
  }[];
  threshold: number;
  cautions?: readonly Caution[];
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
