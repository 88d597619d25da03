import { axisHeatmapFigure } from '../drawing/axis-heatmap/figure.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { alongPseudotime } from '../trajectory-input.ts';
import type { pseudotimeHeatmapContent } from './content.ts';

type Given = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'trajectory'>;

export const pseudotimeHeatmapFigure = ({ datasetName, trajectory }: Given) =>
  axisHeatmapFigure('pseudotime-heatmap', {
    ...alongPseudotime(trajectory, datasetName),
    genes: trajectory.heatmap,
    chosen: 'most correlated',
  });

export const pseudotimeHeatmap = plot<typeof pseudotimeHeatmapContent>(
  'pseudotime-heatmap',
  ({ trajectory }, { datasetName }) => pseudotimeHeatmapFigure({ datasetName, trajectory }),
);
