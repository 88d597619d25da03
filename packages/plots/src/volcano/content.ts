import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Most genes that are named in a figure. */
export const maxNamedGenes = 40;

/** Fold changes of two sets of cells against how sure they are. */
export const volcanoContent = plotContent({
  kind: 'volcano',
  schema: z.object({
    kind: z.literal('volcano'),
    ...comparisonParameters.shape,
    part: dataName
      .optional()
      .describe('The category of `within` that is drawn; absent for that with most differing genes.'),
    genes: z
      .array(dataName)
      .max(maxNamedGenes)
      .optional()
      .describe('Genes to name, as far as there is room; absent for those of the smallest p-values.'),
  }),
  inputs: (content) => ({ comparison: { from: 'comparison', parameters: content, part: content.part } }),
  titles: ({ a, b }) => ({ title: `${a.name} against ${b?.name ?? 'the rest'}`, subtitle: 'Volcano plot' }),
});
