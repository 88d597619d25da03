import type { Figure } from '../drawing/figure.ts';
import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { GeneMatrixInput, GeneMatrixSpec } from '../drawing/gene-matrix/spec.ts';
import { plot } from '../plot.ts';
import type { dotPlotContent } from './content.ts';

/** Marker genes by groups as dots. Throws FigureInputError as {@link geneMatrixFigure}. */
export function dotPlotFigure(
  input: GeneMatrixInput,
): Figure<GeneMatrixSpec & { readonly kind: 'dot-plot' }> {
  return geneMatrixFigure('dot-plot', 'dots', input);
}

export const dotPlot = plot<typeof dotPlotContent>('dot-plot', ({ markers }, { datasetName }) =>
  dotPlotFigure({ ...markers, datasetName }),
);
