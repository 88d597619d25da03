import { comparisonParameters, figureCellTest } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const maxNamedGenes = 40;

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
    .describe('What genes are colored and counted by, instead of the limits of the comparison.'),
};

export function withThresholds<Compared extends { thresholds: object }>(
  comparison: Compared,
  { thresholds }: { thresholds?: { pvals_adj: number; logfoldchanges: number } | undefined },
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

export const volcanoContent = pointsContent('volcano', 'Volcano plot');

export const maPlotContent = pointsContent('ma-plot', 'MA plot');

export const rankPlotContent = pointsContent('rank-plot', 'Rank plot');
