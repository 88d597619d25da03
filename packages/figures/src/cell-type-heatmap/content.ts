import { cellTypes } from '@cellfolio/analyses';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const cellTypeHeatmapContent = plotContent({
  kind: 'cell-type-heatmap',
  name: 'Heatmap',
  schema: z.object({
    kind: z.literal('cell-type-heatmap'),
    ...cellTypes.request.shape,
    markers_version: z
      .string()
      .max(100)
      .optional()
      .describe('Version of the set of markers: with another one the figure would be another.'),
  }),
  inputs: (content) => ({
    cellTypes: { from: 'cell-types', parameters: content },
  }),
  titles: () => ({ title: 'Suggested cell types', subtitle: 'Heatmap' }),
});
