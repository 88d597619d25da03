import { z } from 'zod';
import { geneListTitle, geneMatrixInputs, geneMatrixOptions } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const heatmapContent = plotContent({
  kind: 'heatmap',
  schema: z.object({
    kind: z.literal('heatmap'),
    ...geneMatrixOptions,
    scale: z
      .enum(['none', 'gene'])
      .default('none')
      .describe('`gene`: each gene goes from 0 in its lowest to 1 in its highest cell.'),
  }),
  inputs: geneMatrixInputs,
  titles: ({ genes }) => ({ title: geneListTitle(genes), subtitle: 'Heatmap of cells' }),
  measure: ({ scale }) => (scale === 'none' ? 'expression' : undefined),
  address: jsonAddress,
});
