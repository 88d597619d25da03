import { coExpression } from '@cellfolio/analyses';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const moduleHeatmapContent = plotContent({
  kind: 'module-heatmap',
  name: 'Heatmap of local correlations',
  schema: z.object({ kind: z.literal('module-heatmap'), ...coExpression.request.shape }),
  inputs: (content) => ({
    modules: { from: 'co-expression', parameters: content },
  }),
  titles: () => ({ title: 'Modules of genes', subtitle: 'Heatmap of local correlations' }),
});

export const geneNetworkContent = plotContent({
  kind: 'gene-network',
  name: 'Local correlations of modules',
  schema: z.object({ kind: z.literal('gene-network'), ...coExpression.request.shape }),
  inputs: (content) => ({
    modules: { from: 'co-expression', parameters: content },
  }),
  titles: () => ({ title: 'Network of genes', subtitle: 'Local correlations of modules' }),
});
