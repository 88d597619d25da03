import type { Caution } from '@cellfolio/model';
import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { compositionDotsWords } from './words.ts';

export interface CompositionDotsInput {
  readonly a: string;
  readonly b: string;
  readonly groupTitle: string;
  readonly test: string;
  readonly transform: 'logit' | 'asin';
  readonly samples: readonly { readonly name: string; readonly side: Side; readonly cells: number }[];
  /** Indices of paired samples, that of A first; absent if samples are unpaired. */
  readonly pairs?: readonly (readonly [number, number])[];
  /** Sorted by p-value, ascending. */
  readonly categories: readonly {
    readonly name: string;
    /** Per sample, from 0 to 1. */
    readonly shares: ArrayLike<number>;
    /** A against B, on the scale of the test. */
    readonly effect: number;
    readonly adjustedP: number;
  }[];
  readonly threshold: number;
  readonly cautions?: readonly Caution[];
}

export interface CompositionDotsSpec extends SpecOf<typeof compositionDotsWords, 'groups', SampleFigureSpec> {
  readonly pairs?: readonly (readonly [number, number])[];
  /** Drawn groups; shares from 0 to 1. */
  readonly groups: readonly {
    readonly label: string;
    readonly shares: readonly number[];
    readonly means: Readonly<Record<Side, number>>;
    readonly effect: number;
    readonly adjustedP: number;
  }[];
}
