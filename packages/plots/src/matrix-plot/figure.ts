import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { geneMatrixInput } from '../gene-dot-plot/figure.ts';
import { plot } from '../plot.ts';
import type { matrixPlotContent } from './content.ts';

export const matrixPlot = plot<typeof matrixPlotContent>(
  'matrix-plot',
  ({ genes, groups, components }, setting, content) =>
    geneMatrixFigure(
      'matrix-plot',
      'tiles',
      geneMatrixInput(
        genes,
        groupCells(groups, content.by?.bins, setting.mask),
        { ...content, components },
        setting,
      ),
    ),
);
