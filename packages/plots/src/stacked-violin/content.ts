import { z } from 'zod';
import { geneList, geneListInputs, byTitle, geneListTitle } from '../gene-dot-plot/content.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const stackedViolinContent = plotContent({
  kind: 'stacked-violin',
  name: 'Stacked violin',
  schema: z.object({ kind: z.literal('stacked-violin'), ...geneList() }),
  inputs: geneListInputs,
  titles: ({ genes, by }, _, titleOf) => ({
    title: geneListTitle(genes),
    subtitle: `${byTitle('Stacked violin', by, titleOf)}, one scale`,
  }),
  measure: () => 'expression',
  address: jsonAddress,
});
