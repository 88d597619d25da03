import { dataName, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { scoreChoices } from '../scores/score-choice.ts';

/** What cells are ranked by. */
const rankedBy = z.discriminatedUnion('of', [
  z.object({ of: z.literal('gene'), gene: geneName }),
  scoreChoices.signature,
  scoreChoices.cellState,
  z.object({
    of: z.literal('column'),
    column: dataName
      .refine((name) => name !== '', 'Name a column of obs.')
      .describe('A column of obs that holds numbers.'),
  }),
]);

/** Which cells are the ends of what. */
export const endsParameters = z
  .object({
    by: rankedBy.describe(
      'The gene, the score of a signature or of a cell state, or the column of numbers that cells are ranked by within each sample.',
    ),
    share: z.number().min(1).max(50).default(10).meta({
      title: 'Percent in Each End',
      description: 'Of the cells of each sample, with all that are tied with the last one.',
    }),
  })
  .meta({ id: 'EndsParameters' });
export type EndsParameters = z.infer<typeof endsParameters>;
