import { dataName, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { defaultMinimumGenes, minimumGenes, scoreChoices } from './score-choice.ts';

/** One number of each cell: the expression of a gene, a score, or a column of obs. */
export const valueChoices = [
  z
    .object({ of: z.literal('gene'), gene: geneName })
    .describe('The expression of a gene, by its symbol or id.'),
  scoreChoices.signature.describe('The score of a list of genes.'),
  scoreChoices.cellState
    .extend({ minimum_genes: minimumGenes.default(defaultMinimumGenes) })
    .describe('The score of a hallmark state, such as HYPOXIA.'),
  z
    .object({
      of: z.literal('column'),
      column: dataName.refine((name) => name.trim() !== '', 'Name a column of obs.'),
    })
    .describe('A column of obs that holds numbers.'),
] as const;

export type ValueChoice = z.output<(typeof valueChoices)[number]>;
