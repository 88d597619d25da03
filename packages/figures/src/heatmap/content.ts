import { z } from 'zod';
import {
  bracketsOf,
  dendrogramInputs,
  geneList,
  byTitle,
  geneListTitle,
  geneMatrixOptions,
} from '../gene-matrix/content.ts';
import { groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const maxHeatmapGenes = 100;

export const heatmapContent = plotContent({
  kind: 'heatmap',
  name: 'Heatmap of cells',
  schema: z.object({
    kind: z.literal('heatmap'),
    ...geneMatrixOptions,
    ...geneList(maxHeatmapGenes),
    brackets: bracketsOf(maxHeatmapGenes),
    scale: z
      .enum(['none', 'gene'])
      .default('none')
      .describe('`gene`: each gene goes from 0 in its lowest to 1 in its highest cell.'),
  }),
  inputs: ({ genes, by, order }) => ({
    genes: genes.map((gene) => ({ from: 'gene-lines', gene, by: by?.column }) as const),
    groups: groupingInput(by),
    components: dendrogramInputs(order),
  }),
  titles: ({ genes, by }, _, titleOf) => ({
    title: geneListTitle(genes),
    subtitle: byTitle('Heatmap of cells', by, titleOf),
  }),
  measure: ({ scale }) => (scale === 'none' ? 'expression' : undefined),
  address: jsonAddress,
});
