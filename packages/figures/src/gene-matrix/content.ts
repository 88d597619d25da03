import { listedNames } from '@cellfolio/model';
import { dataName, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { type Grouping, grouping, groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent, type TitleOf } from '../plot-content.ts';
import { comparisonParameters } from '@cellfolio/analysis/parameters';

export const maxListedGenes = 60;

export function geneList(maxGenes = maxListedGenes) {
  return {
    genes: z
      .array(geneName)
      .min(1, 'Give at least one gene.')
      .max(maxGenes, `At most ${maxGenes} genes fit into one figure.`),
    by: grouping.optional().describe('Cell types, else clusters, if absent.'),
  };
}

export const geneMatrixOptions = {
  ...geneList(),
  brackets: bracketsOf(maxListedGenes),
  scale: z
    .enum(['none', 'gene'])
    .default('none')
    .describe('`gene`: each gene goes from 0 in its lowest to 1 in its highest group.'),
  order: z
    .enum(['column', 'dendrogram'])
    .default('column')
    .describe('Of the groups: that of the column, or of a dendrogram of their means, which is then drawn.'),
};

export function bracketsOf(limit: number) {
  return z
    .array(z.object({ name: dataName, count: z.int().min(1) }))
    .max(limit)
    .optional()
    .describe('Names of runs of the genes, in their order; genes beyond them have none.');
}

function geneListInputs({ genes, by }: { genes: readonly string[]; by?: Grouping | undefined }) {
  return { genes: genes.map((gene) => ({ from: 'gene', gene }) as const), groups: groupingInput(by) };
}

export function dendrogramInputs(order: 'column' | 'dendrogram') {
  return order === 'dendrogram' ? [{ from: 'components' } as const] : [];
}

function geneMatrixInputs({
  genes,
  by,
  order,
}: Parameters<typeof geneListInputs>[0] & { order: 'column' | 'dendrogram' }) {
  return {
    genes: genes.map((gene) => ({ from: 'gene-sums', gene, by: by?.column }) as const),
    groups: groupingInput(by),
    components: dendrogramInputs(order),
  };
}

/** `Dot plot by Treatment`; the figure's name alone for the default groups. */
export function byTitle(figure: string, by: Grouping | undefined, titleOf: TitleOf): string {
  return by === undefined ? figure : `${figure} by ${titleOf(by.column)}`;
}

/** Example: `CD3D, CST3 and 3 more`. */
export function geneListTitle(genes: readonly string[]): string {
  return listedNames(genes, 3);
}

export const geneDotPlotContent = plotContent({
  kind: 'gene-dot-plot',
  name: 'Dot plot',
  schema: z.object({ kind: z.literal('gene-dot-plot'), ...geneMatrixOptions }),
  inputs: geneMatrixInputs,
  titles: ({ genes, by }, _, titleOf) => ({
    title: geneListTitle(genes),
    subtitle: byTitle('Dot plot', by, titleOf),
  }),
  measure: ({ scale }) => (scale === 'none' ? 'mean' : undefined),
  address: jsonAddress,
});

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

export const stackedViolinContent = plotContent({
  kind: 'stacked-violin',
  name: 'Stacked violin',
  schema: z.object({ kind: z.literal('stacked-violin'), ...geneList() }),
  inputs: geneListInputs,
  titles: ({ genes, by }, _, titleOf) => ({
    title: geneListTitle(genes),
    subtitle: `${byTitle('Stacked violin', by, titleOf)}, one scale`,
  }),
  byGroup: { genes: maxListedGenes },
  measure: () => 'expression',
  address: jsonAddress,
});

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
