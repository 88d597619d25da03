import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import { geneMatrixInput } from '../gene-dot-plot/figure.ts';
import { plot } from '../plot.ts';
import type { matrixPlotContent } from './content.ts';

export const matrixPlot = plot<typeof matrixPlotContent>('matrix-plot', (values, setting, content) =>
  geneMatrixFigure('matrix-plot', 'tiles', geneMatrixInput(values, content, setting)),
);
