import { geneName, dataName } from '@cellfolio/model/names';
import { z } from 'zod';

/** Default minimum number of a cell state's genes that a dataset must have. */
export const defaultMinimumGenes = 3;

export const minimumGenes = z
  .number()
  .int()
  .min(1, 'Ask for at least one gene.')
  .max(1000)
  .describe(
    'A state of which the dataset has fewer genes is not scored: one or two genes do not measure the state.',
  );

/**
 * The minimum used by figures before it was a parameter. New figures state theirs, so that no default applies to them.
 */
export const beforeMinimumGenes = 1;

export const scoreChoices = {
  signature: z.object({
    of: z.literal('signature'),
    score_name: z.string().max(200),
    genes: z.array(geneName).min(1).max(20_000),
  }),
  cellState: z.object({
    of: z.literal('cell-state'),
    cell_state: z.string().max(100),
    minimum_genes: minimumGenes
      .default(beforeMinimumGenes)
      .describe(
        `Fewest genes to score; ${beforeMinimumGenes} where it is absent, as older figures were drawn.`,
      ),
  }),
};

export type ScoreChoice = z.output<(typeof scoreChoices)[keyof typeof scoreChoices]>;

/** A number per cell: expression of a gene, a score, or a column of obs. */
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
