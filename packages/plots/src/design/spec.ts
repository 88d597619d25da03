import type { SampleFigureSpec, Side } from '../drawing/samples/sample-figure.ts';

export interface DesignSpec extends SampleFigureSpec {
  readonly kind: 'design';
  readonly version: 1;
  readonly formula: string;
  /** From top to bottom: samples of A, then of B, with equal ones adjacent. */
  readonly samples: readonly {
    readonly label: string;
    readonly side: Side;
    readonly cells: number;
  }[];
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
