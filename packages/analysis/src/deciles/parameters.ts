import { z } from 'zod';
import { valueChoices } from '../scores/score-choice.ts';

export const endsParameters = z
  .object({
    by: z
      .discriminatedUnion('of', valueChoices)
      .describe(
        'The gene, the score of a signature or of a cell state, or the column of numbers that cells are ranked by within each sample.',
      ),
    share: z.number().min(1).max(50).default(10).meta({
      title: 'Percent in Each End',
      description: 'Of the cells of each sample, with all that are tied with the last one.',
    }),
  })
  .meta({ id: 'EndsParameters' });
export type EndsParameters = z.infer<typeof endsParameters>;
