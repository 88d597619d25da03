import { z } from 'zod';
import { pointsFields, pointsTitles } from '../drawing/gene-points/points-content.ts';
import { plotContent } from '../plot-content.ts';

/** Genes of two sets of cells by the statistic of their test. */
export const rankPlotContent = plotContent({
  kind: 'rank-plot',
  name: 'Rank plot',
  schema: z.object({ kind: z.literal('rank-plot'), ...pointsFields }),
  inputs: (content) => ({ comparison: { from: 'comparison', parameters: content, part: content.part } }),
  titles: (content) => pointsTitles(content, 'Rank plot'),
});
