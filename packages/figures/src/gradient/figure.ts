import { plot, type FigureSetting, type InputValues } from '../plot.ts';
import { scoreUmapFigure } from '../umap/score-umap.ts';
import type { gradientUmapContent, gradientCurveContent, gradientHeatmapContent } from './content.ts';
import { axisCurveFigure } from '../drawing/axis-curve/figure.ts';
import { alongGradient } from '../gradient-input.ts';
import { axisHeatmapFigure } from '../drawing/axis-heatmap/figure.ts';

/** Throws FigureInputError if places, embedding and mask do not describe the same cells. */
export const gradientUmap = plot<typeof gradientUmapContent>(
  'gradient-umap',
  ({ embedding, gradient }, setting) =>
    scoreUmapFigure({
      ...setting,
      embedding,
      kind: 'gradient-umap',
      scores: gradient.values,
      title: 'Axis of a gradient',
      subtitle: gradient.axis,
      unit: gradient.unit,
      cautions: gradient.cautions,
    }),
  ({ gradient: { values, axis } }) => ({ values, words: `Place along ${axis}` }),
);

type GradientSource = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'gradient'>;

export const gradientCurveFigure = ({ datasetName, gradient }: GradientSource) =>
  axisCurveFigure('gradient-curve', {
    ...alongGradient(gradient, datasetName),
    genes: gradient.curves,
    unit: gradient.expression,
  });

export const gradientCurve = plot<typeof gradientCurveContent>(
  'gradient-curve',
  ({ gradient }, { datasetName }) => gradientCurveFigure({ datasetName, gradient }),
);

export const gradientHeatmapFigure = ({ datasetName, gradient }: GradientSource) =>
  axisHeatmapFigure('gradient-heatmap', {
    ...alongGradient(gradient, datasetName),
    genes: gradient.heatmap,
    chosen: 'that follow it most',
  });

export const gradientHeatmap = plot<typeof gradientHeatmapContent>(
  'gradient-heatmap',
  ({ gradient }, { datasetName }) => gradientHeatmapFigure({ datasetName, gradient }),
);
