import type { Figure } from './drawing/figure.ts';
import type { FigureSetting, PlotInputs, ValuesOf } from './inputs.ts';

/** Makes the figures of a kind of their inputs. */
export interface Plot {
  readonly kind: string;
  /** Throws FigureInputError where the inputs do not describe the same cells, or are none that can be drawn. */
  figure(values: object, setting: FigureSetting): Figure;
}

/** A kind with what makes its figures, which is handed the inputs that its content names, under the same names. */
export function plot<Content extends { readonly kind: string; inputs(content: never): PlotInputs }>(
  kind: Content['kind'],
  figure: (values: ValuesOf<ReturnType<Content['inputs']>>, setting: FigureSetting) => Figure,
): Plot {
  return { kind, figure: figure as Plot['figure'] };
}
