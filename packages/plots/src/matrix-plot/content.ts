import { z } from 'zod';
import { geneListInputs, geneListTitle, geneMatrixOptions } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const matrixPlotContent = plotContent({
  kind: 'matrix-plot',
  schema: z.object({ kind: z.literal('matrix-plot'), ...geneMatrixOptions }),
  inputs: geneListInputs,
  titles: ({ genes }) => ({ title: geneListTitle(genes), subtitle: 'Matrix plot' }),
  measure: ({ scale }) => (scale === 'none' ? 'mean' : undefined),
  address: jsonAddress,
});
