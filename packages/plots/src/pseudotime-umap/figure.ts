import { plot } from '../plot.ts';
import { scoreUmapFigure } from '../score-umap/figure.ts';
import { rootText } from '../trajectory-input.ts';
import type { pseudotimeUmapContent } from './content.ts';

/** Throws FigureInputError where pseudotime, embedding and mask do not describe the same cells. */
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
);
