import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import { geneMatrixInput } from '../gene-dot-plot/figure.ts';
import { plot } from '../plot.ts';
import type { comparedDotsContent } from './content.ts';

export const comparedDots = plot<typeof comparedDotsContent>(
  'compared-dots',
  ({ genes, sides: { column, title } }, setting) =>
    geneMatrixFigure(
      'compared-dots',
      'dots',
      geneMatrixInput(genes, { column, title, palette: 'cluster' }, { scale: 'none' }, setting),
    ),
);
