import { z } from 'zod';
import { geneList, geneListInputs, geneListTitle } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const stackedViolinContent = plotContent({
  kind: 'stacked-violin',
  schema: z.object({ kind: z.literal('stacked-violin'), ...geneList() }),
  inputs: geneListInputs,
  titles: ({ genes }) => ({ title: geneListTitle(genes), subtitle: 'Stacked violin, one scale' }),
  measure: () => 'expression',
  address: jsonAddress,
});
