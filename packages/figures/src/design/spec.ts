import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import type { SpecOf } from '../plot-words.ts';
import type { designWords } from './words.ts';

export interface DesignSpec extends SpecOf<typeof designWords, 'columns' | 'coefficients', SampleFigureSpec> {
  columns: readonly DesignColumn[];
  coefficients: readonly { name: string; values: readonly number[] }[];
  colours: { ramp: readonly string[] };
}

export type DesignColumn =
  | {
      title: string;
      levels: readonly DesignLevel[];
      /** Indices into `levels`, -1 for missing. */
      codes: readonly number[];
    }
  | { title: string; values: readonly (number | null)[] };

interface DesignLevel {
  label: string;
  colour: string;
  a: number;
  b: number;
}
