import { z } from 'zod';

export const unclear = 'Unclear';

export const cellModelParameters = z
  .object({
    model: z
      .string('Name the model.')
      .min(1, 'Name the model.')
      .max(200)
      .describe('One of those that the operator installed, by the name of its file.'),
    groupby: z
      .string('Name the column whose groups vote.')
      .max(500)
      .refine((name) => name.trim() !== '', 'Name the column whose groups vote.')
      .describe(
        'A categorical column of obs or an own annotation: each of its groups gets the type of most cells.',
      ),
    min_probability: z.number().min(0).max(1).default(0.5).meta({
      title: 'Min. Probability',
      description: 'A group is Unclear where the mean probability of its type is below.',
    }),
    min_share: z.number().min(0).max(1).default(0.5).meta({
      title: 'Min. Share of Cells',
      description: 'A group is Unclear where its type is the best of a smaller share of its cells.',
    }),
    min_margin: z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Margin',
      description: 'A group is Unclear where the share of the next type is not so much smaller.',
    }),
  })
  .meta({ id: 'CellModelParameters' });
export type CellModelParameters = z.infer<typeof cellModelParameters>;
