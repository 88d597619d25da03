import { axisCurveFigure } from '../drawing/axis-curve/figure.ts';
import { alongGradient } from '../gradient-input.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { gradientCurveContent } from './content.ts';

type Given = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'gradient'>;

export const gradientCurveFigure = ({ datasetName, gradient }: Given) =>
  axisCurveFigure('gradient-curve', {
    ...alongGradient(gradient, datasetName),
    genes: gradient.curves,
    unit: gradient.expression,
  });

export const gradientCurve = plot<typeof gradientCurveContent>(
  'gradient-curve',
  ({ gradient }, { datasetName }) => gradientCurveFigure({ datasetName, gradient }),
);
