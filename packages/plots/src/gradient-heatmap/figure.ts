import { axisHeatmapFigure } from '../drawing/axis-heatmap/figure.ts';
import { alongGradient } from '../gradient-input.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { gradientHeatmapContent } from './content.ts';

type Given = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'gradient'>;

export const gradientHeatmapFigure = ({ datasetName, gradient }: Given) =>
  axisHeatmapFigure('gradient-heatmap', {
    ...alongGradient(gradient, datasetName),
    genes: gradient.heatmap,
    chosen: 'that follow it most',
  });

export const gradientHeatmap = plot<typeof gradientHeatmapContent>(
  'gradient-heatmap',
  ({ gradient }, { datasetName }) => gradientHeatmapFigure({ datasetName, gradient }),
);
