import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Pseudotime on the map of cells. */
export const pseudotimeUmapContent = plotContent({
  kind: 'pseudotime-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('pseudotime-umap'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Pseudotime', subtitle: 'UMAP by pseudotime' }),
  cellNumbers: () => 'Pseudotime',
  isMaps: true,
});

/** How groups of cells hang together, over the map of cells. */
export const pagaGraphContent = plotContent({
  kind: 'paga-graph',
  name: 'Connectivity of groups',
  schema: z.object({ kind: z.literal('paga-graph'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    column: { from: 'obs', column: content.groupby },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'PAGA graph', subtitle: 'Connectivity of groups' }),
  isMaps: true,
});

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

/** Means of some genes along pseudotime, with bands of their standard errors. */
export const pseudotimeCurveContent = plotContent({
  kind: 'pseudotime-curve',
  name: 'Curves',
  schema: z.object({ kind: z.literal('pseudotime-curve'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Genes along pseudotime', subtitle: 'Curves by pseudotime' }),
});
