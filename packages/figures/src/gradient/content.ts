import { gradient } from '@cellfolio/analyses';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const gradientUmapContent = plotContent({
  kind: 'gradient-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('gradient-umap'), ...gradient.request.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Axis of a gradient', subtitle: 'UMAP by place on the axis' }),
  cellNumbers: () => 'Place along the axis',
  isMaps: true,
});

export const gradientHeatmapContent = plotContent({
  kind: 'gradient-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('gradient-heatmap'), ...gradient.request.shape }),
  inputs: (content) => ({
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Genes along an axis', subtitle: 'Heatmap by place on the axis' }),
});

export const gradientCurveContent = plotContent({
  kind: 'gradient-curve',
  name: 'Curves',
  schema: z.object({ kind: z.literal('gradient-curve'), ...gradient.request.shape }),
  inputs: (content) => ({
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Genes along an axis', subtitle: 'Curves by place on the axis' }),
});
