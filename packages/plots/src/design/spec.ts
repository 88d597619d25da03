import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { designWords } from './words.ts';

export interface DesignSpec extends SpecOf<typeof designWords, 'columns' | 'coefficients', SampleFigureSpec> {
  readonly columns: readonly DesignColumn[];
  readonly coefficients: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly colours: { readonly ramp: readonly string[] };
}

export type DesignColumn =
  | {
      readonly title: string;
      readonly levels: readonly DesignLevel[];
      /** Indices into `levels`, -1 for missing. */
      readonly codes: readonly number[];
    }
  | { readonly title: string; readonly values: readonly (number | null)[] };

interface DesignLevel {
  readonly label: string;
  readonly colour: string;
  readonly a: number;
  readonly b: number;
}
