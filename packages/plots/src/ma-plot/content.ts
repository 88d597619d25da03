import { z } from 'zod';
import { pointsFields, pointsTitles } from '../drawing/gene-points/points-content.ts';
import { plotContent } from '../plot-content.ts';

/** Fold changes of two sets of cells against how much they express. */
export const maPlotContent = plotContent({
  kind: 'ma-plot',
  name: 'MA plot',
  schema: z.object({ kind: z.literal('ma-plot'), ...pointsFields }),
  inputs: (content) => ({ comparison: { from: 'comparison', parameters: content, part: content.part } }),
  titles: (content) => pointsTitles(content, 'MA plot'),
});
