import { z } from 'zod';

const figure = z.union([z.number(), z.string()]);

/** A statistical warning about a result or a dataset, as data and in words for the user. */
export const caution = z
  .object({
    code: z
      .string()
      .regex(/^[a-z-]{1,60}$/)
      .describe('Stable tag such as `small-groups`.'),
    message: z.string(),
    numbers: z
      // name-dictionary: keys of letters alone
      .record(z.string().regex(/^[a-zA-Z]{1,40}$/), z.union([figure, z.array(figure).readonly()]))
      .optional()
      .describe('The numbers in the message, under names that do not depend on the data.'),
  })
  .meta({ id: 'Caution' });
export type Caution = z.infer<typeof caution>;
