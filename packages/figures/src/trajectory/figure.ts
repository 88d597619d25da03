import { plot, type FigureSetting, type InputValues } from '../plot.ts';
import { scoreUmapFigure } from '../umap/score-umap.ts';
import { rootText, alongPseudotime } from '../trajectory-input.ts';
import type { pseudotimeUmapContent, pseudotimeCurveContent, pseudotimeHeatmapContent } from './content.ts';
import { axisCurveFigure } from '../drawing/axis-curve/figure.ts';
import { axisHeatmapFigure } from '../drawing/axis-heatmap/figure.ts';

/** Throws FigureInputError if pseudotime, embedding and mask do not describe the same cells. */
export const pseudotimeUmap = plot<typeof pseudotimeUmapContent>(
  'pseudotime-umap',
  ({ embedding, trajectory }, setting) =>
    scoreUmapFigure({
      ...setting,
      embedding,
      kind: 'pseudotime-umap',
      scores: trajectory.pseudotime,
      title: 'Pseudotime',
      subtitle: rootText(trajectory.root),
      unit: 'diffusion pseudotime',
      cautions: trajectory.cautions,
    }),
  ({ trajectory: { pseudotime, root } }) => ({
    values: pseudotime,
    words: `Diffusion pseudotime ${rootText(root)}`,
  }),
);

type TrajectorySource = Pick<FigureSetting, 'datasetName'> & Pick<InputValues, 'trajectory'>;

export const pseudotimeCurveFigure = ({ datasetName, trajectory }: TrajectorySource) =>
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

export const pseudotimeHeatmapFigure = ({ datasetName, trajectory }: TrajectorySource) =>
  axisHeatmapFigure('pseudotime-heatmap', {
    ...alongPseudotime(trajectory, datasetName),
    genes: trajectory.heatmap,
    chosen: 'most correlated',
  });

export const pseudotimeHeatmap = plot<typeof pseudotimeHeatmapContent>(
  'pseudotime-heatmap',
  ({ trajectory }, { datasetName }) => pseudotimeHeatmapFigure({ datasetName, trajectory }),
);
