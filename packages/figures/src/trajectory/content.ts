import { trajectory } from '@cellfolio/analyses';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const pseudotimeUmapContent = plotContent({
  kind: 'pseudotime-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('pseudotime-umap'), ...trajectory.request.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Pseudotime', subtitle: 'UMAP by pseudotime' }),
  cellNumbers: () => 'Pseudotime',
  isMaps: true,
});

export const pagaGraphContent = plotContent({
  kind: 'paga-graph',
  name: 'Connectivity of groups',
  schema: z.object({ kind: z.literal('paga-graph'), ...trajectory.request.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    column: { from: 'obs', column: content.groupby },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'PAGA graph', subtitle: 'Connectivity of groups' }),
  isMaps: true,
});

export const pseudotimeHeatmapContent = plotContent({
  kind: 'pseudotime-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('pseudotime-heatmap'), ...trajectory.request.shape }),
  inputs: (content) => ({
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Genes along pseudotime', subtitle: 'Heatmap by pseudotime' }),
});

export const pseudotimeCurveContent = plotContent({
  kind: 'pseudotime-curve',
  name: 'Curves',
  schema: z.object({ kind: z.literal('pseudotime-curve'), ...trajectory.request.shape }),
  inputs: (content) => ({
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Genes along pseudotime', subtitle: 'Curves by pseudotime' }),
});
