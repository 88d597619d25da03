import { z } from 'zod';
import { geneListTitle, geneMatrixInputs, geneMatrixOptions } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const matrixPlotContent = plotContent({
  kind: 'matrix-plot',
  schema: z.object({ kind: z.literal('matrix-plot'), ...geneMatrixOptions }),
  inputs: geneMatrixInputs,
  titles: ({ genes }) => ({ title: geneListTitle(genes), subtitle: 'Matrix plot' }),
  measure: ({ scale }) => (scale === 'none' ? 'mean' : undefined),
  address: jsonAddress,
});
