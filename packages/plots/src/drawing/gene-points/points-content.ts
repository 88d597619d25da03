import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import type { PlotTitles } from '../../plot-content.ts';

/** Most genes that are named in a figure. */
export const maxNamedGenes = 40;

/** What figures of the genes of a comparison are asked by. */
export const pointsFields = {
  ...comparisonParameters.shape,
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

interface Pointed {
  readonly a: { readonly name: string };
  readonly b?: { readonly name: string } | undefined;
}

export function pointsTitles({ a, b }: Pointed, subtitle: string): PlotTitles {
  return { title: `${a.name} against ${b?.name ?? 'the rest'}`, subtitle };
}

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
