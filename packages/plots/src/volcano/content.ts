import { z } from 'zod';
import { pointsFields, pointsTitles } from '../drawing/gene-points/points-content.ts';
import { plotContent } from '../plot-content.ts';

/** Fold changes of two sets of cells against how sure they are. */
export const volcanoContent = plotContent({
  kind: 'volcano',
  name: 'Volcano plot',
  schema: z.object({ kind: z.literal('volcano'), ...pointsFields }),
  inputs: (content) => ({ comparison: { from: 'comparison', parameters: content, part: content.part } }),
  titles: (content) => pointsTitles(content, 'Volcano plot'),
});
