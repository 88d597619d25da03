import { comparisonParameters, figureCellTest } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Most genes that are named in a figure. */
export const maxNamedGenes = 40;

/** What figures of the genes of a comparison are asked by. */
const pointsFields = {
  ...comparisonParameters.shape,
  ...figureCellTest,
  part: dataName
    .optional()
    .describe('The category of `within` that is drawn; absent for that with most differing genes.'),
  genes: z
    .array(dataName)
    .max(maxNamedGenes)
    .optional()
    .describe('Genes to name, as far as there is room; absent for those of the smallest p-values.'),
  thresholds: z
    .object({
      pvals_adj: comparisonParameters.shape.pvals_adj.unwrap(),
      logfoldchanges: comparisonParameters.shape.logfoldchanges.unwrap(),
    })
    .optional()
    .describe('What genes are coloured and counted by, instead of the limits of the comparison.'),
};

/** A comparison with the thresholds that a figure was asked for. */
export function drawnWith<Compared extends { readonly thresholds: object }>(
  comparison: Compared,
  {
    thresholds,
  }: { readonly thresholds?: { readonly pvals_adj: number; readonly logfoldchanges: number } | undefined },
): Compared {
  if (thresholds === undefined) return comparison;
  const { pvals_adj: adjustedP, logfoldchanges: foldChange } = thresholds;
  return { ...comparison, thresholds: { adjustedP, foldChange } };
}

function pointsContent<Kind extends string>(kind: Kind, name: string) {
  return plotContent({
    kind,
    name,
    schema: z.object({ kind: z.literal(kind), ...pointsFields }),
    inputs: (content) => ({ comparison: { from: 'comparison', parameters: content, part: content.part } }),
    titles: ({ a, b }) => ({ title: `${a.name} against ${b?.name ?? 'the rest'}`, subtitle: name }),
  });
}

/** Fold changes of two sets of cells against how sure they are. */
export const volcanoContent = pointsContent('volcano', 'Volcano plot');

/** Fold changes of two sets of cells against how much they express. */
export const maPlotContent = pointsContent('ma-plot', 'MA plot');

/** Genes of two sets of cells by the statistic of their test. */
export const rankPlotContent = pointsContent('rank-plot', 'Rank plot');
