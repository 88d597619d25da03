import { axisCurveFigure } from '../drawing/axis-curve/figure.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { alongPseudotime } from '../trajectory-input.ts';
import type { pseudotimeCurveContent } from './content.ts';

type Given = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'trajectory'>;

export const pseudotimeCurveFigure = ({ datasetName, trajectory }: Given) =>
  axisCurveFigure('pseudotime-curve', {
    ...alongPseudotime(trajectory, datasetName),
    genes: trajectory.curves,
    unit: trajectory.unit,
    ends: [0, 1],
  });

export const pseudotimeCurve = plot<typeof pseudotimeCurveContent>(
  'pseudotime-curve',
  ({ trajectory }, { datasetName }) => pseudotimeCurveFigure({ datasetName, trajectory }),
);
