import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';

/** Fewest genes of a cell state that a dataset has to have, unless the caller says otherwise. */
export const defaultMinimumGenes = 3;

export const minimumGenes = z
  .number()
  .int()
  .min(1, 'Ask for at least one gene.')
  .max(1000)
  .describe(
    'A state of which the dataset has fewer genes is not scored: one or two genes show themselves, not the state.',
  );

/** What figures were drawn with before it could be chosen. New ones say it, so that no default speaks for them. */
export const beforeMinimumGenes = 1;

/** The scores that a cell can have. */
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
