import type { Caution } from '@cellfolio/model';
import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

/** A test of what samples are made of. */
export interface CompositionDotsInput {
  readonly a: string;
  readonly b: string;
  /** What the categories are, such as `Cell type`. */
  readonly groupTitle: string;
  /** How it was tested, in words. */
  readonly test: string;
  readonly transform: 'logit' | 'asin';
  readonly samples: readonly { readonly name: string; readonly side: Side; readonly cells: number }[];
  /** Places of paired samples, that of A first; absent where samples are no pairs. */
  readonly pairs?: readonly (readonly [number, number])[];
  /** By rising p-value. */
  readonly categories: readonly {
    readonly name: string;
    /** Of each sample, from 0 to 1. */
    readonly shares: ArrayLike<number>;
    /** Of A against B, on the scale of the test. */
    readonly effect: number;
    readonly adjustedP: number;
  }[];
  /** Categories of a smaller adjusted p are counted as differing. */
  readonly threshold: number;
  readonly cautions?: readonly Caution[];
}

export interface CompositionDotsSpec extends SampleFigureSpec {
  readonly kind: 'composition-dots';
  readonly version: 1;
  readonly groupTitle: string;
  readonly transform: 'logit' | 'asin';
  readonly threshold: number;
  readonly samples: readonly { readonly label: string; readonly side: Side }[];
  readonly pairs?: readonly (readonly [number, number])[];
  /** Those that are drawn; shares from 0 to 1. */
  readonly groups: readonly {
    readonly label: string;
    readonly shares: readonly number[];
    /** Mean of the samples of each side. */
    readonly means: Readonly<Record<Side, number>>;
    readonly effect: number;
    readonly adjustedP: number;
  }[];
  readonly groupCount: number;
  /** Categories that pass. */
  readonly differing: number;
}
