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

/** Details of the refusal `too_few_genes`: what the dataset has of the cell state. */
export const fewGenes = z.object({
  found_genes: z.array(z.string()),
  set_genes: z.number().int(),
  minimum_genes: z.number().int(),
});
