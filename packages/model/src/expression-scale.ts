import { z } from 'zod';

/** Scale of a matrix's values; logarithms are of 1 + the value. */
const valueScale = z.enum(['counts', 'log1p', 'log2', 'log10', 'linear', 'scaled', 'unknown']);
export type ValueScale = z.infer<typeof valueScale>;

/** Declared scale of an AnnData file's expression values; `counts`: its raw counts are used. */
export const expressionAnswer = z.enum(['log1p', 'counts', 'linear', 'log2', 'log10']);
export type ExpressionAnswer = z.infer<typeof expressionAnswer>;

/** Scale of the values in the file and in the dataset, and the evidence for it. */
export const expressionScale = z.object({
  read: valueScale.describe('What the values in the file are.'),
  stored: valueScale.describe('What the values of its dataset are.'),
  /**
   * `range`: the values leave no other choice; `record`: `uns/log1p` declares it; `answer`: the user who added the file
   * did.
   */
  basis: z.enum(['range', 'whole-multiples', 'counts', 'totals', 'record', 'answer']),
  why: z.string().describe('The evidence in a sentence, with its figures.'),
  open: z
    .array(expressionAnswer)
    .optional()
    .describe('What the values can be, where they do not show which.'),
});
export type ExpressionScale = z.infer<typeof expressionScale>;

/** Features of the file that are not genes, such as peaks or guides; they are not imported. */
export const otherFeatures = z.object({
  /** As named in the file. */
  type: z.string(),
  count: z.number().int(),
  examples: z.array(z.string()),
});
export type OtherFeatures = z.infer<typeof otherFeatures>;
