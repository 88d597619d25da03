import { gradientParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Means of genes along an axis, ordered by their peaks. */
export const gradientHeatmapContent = plotContent({
  kind: 'gradient-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('gradient-heatmap'), ...gradientParameters.shape }),
  inputs: (content) => ({
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Genes along an axis', subtitle: 'Heatmap by place on the axis' }),
});
