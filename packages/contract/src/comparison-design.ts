import { columnKinds, leftOutSums, refusedParts, sampleChoice } from '@cellfolio/analyses';
import { caution } from '@cellfolio/model/caution';
import { z } from 'zod';

const count = z.number().int();

/** `POST /api/deg-design`: how samples would be compared, before any data is read. */
export const comparisonDesign = z
  .object({
    parts: z.array(
      z.object({
        name: z.string().describe('The category of `within`; empty without one.'),
        formula: z.string().describe('The model, as R writes it.'),
        columns: z.array(z.string()).describe('Columns of the samples: the side, then the covariates.'),
        column_kinds: columnKinds,
        paired: z.boolean(),
        samples_a: count,
        samples_b: count,
        left_out_columns: z
          .array(z.object({ column: z.string(), reason: z.enum(['constant', 'held-by-pairs']) }))
          .describe(
            'Covariates that are not in the model: all samples have one value, or both sums of every pair.',
          ),
        residual_df: count,
        left_out: leftOutSums,
      }),
    ),
    refused: refusedParts,
    samples: sampleChoice,
    warnings: z.array(caution).describe('What is known to limit it, before any count is read.'),
  })
  .meta({ id: 'ComparisonDesign' });
export type ComparisonDesign = z.infer<typeof comparisonDesign>;
