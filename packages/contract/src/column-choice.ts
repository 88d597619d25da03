import { z } from 'zod';

/** What the values of an AnnData file's expression are said to be; `counts`: its raw counts are taken. */
export const expressionAnswer = z.enum(['log1p', 'counts', 'linear', 'log2', 'log10']);
export type ExpressionAnswer = z.infer<typeof expressionAnswer>;

/** Columns of an AnnData file that play a part; those left out are found by their names. */
export const columnChoice = z
  .object({
    cellType: z.string().min(1).max(1000),
    cluster: z.string().min(1).max(1000),
    patient: z.string().min(1).max(1000),
    embedding: z.string().min(1).max(1000).describe('Key of obsm.'),
    symbol: z.string().min(1).max(1000).describe('Column of var.'),
    expression: expressionAnswer.describe(
      'What the values are, where the file does not show it or its owner knows better: natural logarithms, raw counts, no logarithms, or logarithms to another base.',
    ),
  })
  .partial()
  .strict()
  .meta({ id: 'ColumnChoice' });
export type ColumnChoice = z.infer<typeof columnChoice>;
