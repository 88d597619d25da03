import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

export interface DesignSpec extends SampleFigureSpec {
  readonly kind: 'design';
  readonly version: 1;
  readonly formula: string;
  /** From top to bottom: those of A, then those of B, alike ones beside each other. */
  readonly samples: readonly {
    readonly label: string;
    readonly side: Side;
    readonly cells: number;
  }[];
  readonly columns: readonly DesignColumn[];
  /** A value for each sample. */
  readonly coefficients: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly colours: { readonly ramp: readonly string[] };
}

/** A column of obs, a value for each sample. */
export type DesignColumn =
  | {
      readonly title: string;
      readonly levels: readonly DesignLevel[];
      /** Into `levels`, -1 where it is missing. */
      readonly codes: readonly number[];
    }
  | { readonly title: string; readonly values: readonly (number | null)[] };

interface DesignLevel {
  readonly label: string;
  readonly colour: string;
  /** Samples of each side. */
  readonly a: number;
  readonly b: number;
}
