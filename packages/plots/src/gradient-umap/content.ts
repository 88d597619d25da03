import { gradientParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** The places of the cells on an axis, on the map of cells. */
export const gradientUmapContent = plotContent({
  kind: 'gradient-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('gradient-umap'), ...gradientParameters.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Axis of a gradient', subtitle: 'UMAP by place on the axis' }),
  isMaps: true,
});
