import { z } from 'zod';
import { byTitle, geneListTitle, geneMatrixInputs, geneMatrixOptions } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const matrixPlotContent = plotContent({
  kind: 'matrix-plot',
  name: 'Matrix plot',
  schema: z.object({ kind: z.literal('matrix-plot'), ...geneMatrixOptions }),
  inputs: geneMatrixInputs,
  titles: ({ genes, by }, _, titleOf) => ({
    title: geneListTitle(genes),
    subtitle: byTitle('Matrix plot', by, titleOf),
  }),
  measure: ({ scale }) => (scale === 'none' ? 'mean' : undefined),
  address: jsonAddress,
});
