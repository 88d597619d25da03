import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { geneList, geneListTitle } from '../gene-dot-plot/content.ts';
import { plotContent } from '../plot-content.ts';

/** Genes of a comparison by the sides that it compares, and by its categories where there are any. */
export const comparedDotsContent = plotContent({
  kind: 'compared-dots',
  name: 'Dot plot',
  schema: z.object({
    kind: z.literal('compared-dots'),
    ...comparisonParameters.shape,
    part: dataName.optional().describe('The category of `within` that is drawn; absent for all of them.'),
    genes: geneList().genes,
  }),
  inputs: ({ genes, part, ...parameters }) => ({
    genes: genes.map((gene) => ({ from: 'gene', gene }) as const),
    sides: { from: 'compared-sides', parameters, part } as const,
  }),
  titles: ({ genes, a, b }) => ({
    title: geneListTitle(genes),
    subtitle: `Dot plot of ${a.name} and ${b?.name ?? 'the rest'}`,
  }),
});
