import { plot } from '../plot.ts';
import { scoreUmapFigure } from '../score-umap/figure.ts';
import type { gradientUmapContent } from './content.ts';

/** Throws FigureInputError where places, embedding and mask do not describe the same cells. */
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
);
