import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Means of genes along pseudotime, ordered by their peaks. */
export const pseudotimeHeatmapContent = plotContent({
  kind: 'pseudotime-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('pseudotime-heatmap'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Genes along pseudotime', subtitle: 'Heatmap by pseudotime' }),
});
