import { columnKinds, designValues, leftOutSums, sampleChoice, sampleSum } from '@cellfolio/analyses';
import { caution } from '@cellfolio/model/caution';
import { z } from 'zod';

const count = z.number().int();

const testedSum = sampleSum.extend({
  library_size: z.number().describe('Counts in the genes that were tested.'),
  factor: z
    .number()
    .describe(
      'Normalisation factor of the library, by TMM; of `negative-binomial` its size factor, by the median of ratios.',
    ),
  values: designValues,
  x: z.number().describe('Place on the map of samples, in leading log2 fold changes.'),
  y: z.number(),
});

const refused = z
  .array(z.object({ name: z.string(), code: z.string(), reason: z.string() }))
  .describe('Categories of `within` that cannot be tested.');

const dispersions = z.object({
  trend: z
    .enum(['parametric', 'mean'])
    .describe('The curve a0 + a1 / mean, or one value for all where there is no such curve.'),
  coefficients: z.tuple([z.number(), z.number()]).describe('a0 and a1.'),
  replaced: count.describe(
    'Genes with a count that was replaced, as it stands out of seven or more replicates.',
  ),
  outliers: count.describe('Genes without a p-value, as a count that stands out decides on them.'),
  filtered: count.describe('Genes without an adjusted p-value, as their mean count is below `least_mean`.'),
  least_mean: z.number(),
});

const pseudobulkPart = z.object({
  name: z.string().describe('The category of `within`; empty without one.'),
  formula: z.string().describe('The model, as R writes it.'),
  columns: z.array(z.string()).describe('Columns of the samples: the side, then what is allowed for.'),
  column_kinds: columnKinds,
  coefficients: z.array(z.string()),
  tested: z.array(z.number()).describe('Weight of each coefficient in what was tested.'),
  paired: z.boolean().describe('Samples with cells on both sides are compared with themselves.'),
  samples_of_both: count.describe('Samples with sums on both sides.'),
  samples: z.array(testedSum).describe('A sample with cells on both sides is there twice.'),
  left_out: leftOutSums,
  residual_df: z.number(),
  prior_df: z
    .number()
    .nullable()
    .describe(
      'null where variances differ by chance alone, infinitely many; and of `negative-binomial`, which has none.',
    ),
  prior_variance: z
    .number()
    .describe(
      'Of the genes; of `quasi-likelihood` that of their quasi-likelihood dispersions; of `negative-binomial` that of the logarithms of dispersions about their curve.',
    ),
  dispersions: dispersions.nullable().describe('Of `negative-binomial`; else null.'),
  correlation: z
    .number()
    .nullable()
    .describe(
      'Of the log counts of samples of one unit, by all genes: what `random_effect` allows for, and what is told of samples that are nested in units; else null.',
    ),
  genes_tested: count,
  genes_not_tested: count,
  axes: z
    .tuple([z.number(), z.number()])
    .describe('Share of the variance in the first and second dimension of the map.'),
  spread: z
    .object({
      measure: z.enum(['deviation', 'quasi-dispersion', 'dispersion']),
      points: z.array(z.tuple([z.number(), z.number()])),
      curve: z.array(z.tuple([z.number(), z.number()])),
      genes: count.describe('Genes that the points are taken from at equal steps.'),
    })
    .describe(
      'Root of the residual standard deviation of genes, or of their quasi-likelihood or negative binomial dispersion, over their mean log2 count, and the curve.',
    ),
  p_values: z.array(count).describe('Genes whose p-value is in each twentieth of 0 to 1.'),
});

/** `POST /api/deg-design`: how samples would be compared, before any data is read. */
export const comparisonDesign = z
  .object({
    parts: z.array(
      z.object({
        name: z.string().describe('The category of `within`; empty without one.'),
        formula: z.string().describe('The model, as R writes it.'),
        columns: z.array(z.string()).describe('Columns of the samples: the side, then what is allowed for.'),
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
    refused,
    samples: sampleChoice,
    warnings: z.array(caution).describe('What is known to limit it, before any count is read.'),
  })
  .meta({ id: 'ComparisonDesign' });
export type ComparisonDesign = z.infer<typeof comparisonDesign>;

export const pseudobulkAnswer = z
  .object({
    parts: z.array(pseudobulkPart).describe('What was tested, in the order of `groups`.'),
    refused,
  })
  .meta({ id: 'PseudobulkAnswer' });
export type PseudobulkAnswer = z.infer<typeof pseudobulkAnswer>;
