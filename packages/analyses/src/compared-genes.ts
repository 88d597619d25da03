import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { type Caution, plural } from '@cellfolio/model';
import { z } from 'zod';
import { figure, number, optional, pValue, share, text } from './declare.ts';
import { columnKinds, designValues, leftOutSums, sampleChoice, sampleSum } from './fields.ts';

const count = z.number().int();

const testedSum = sampleSum.extend({
  library_size: z.number().describe('Counts in the genes that were tested.'),
  factor: z
    .number()
    .describe(
      'Normalization factor of the library, by TMM; of `negative-binomial` its size factor, by the median of ratios.',
    ),
  values: designValues,
  x: z.number().describe('Place on the map of samples, in leading log2 fold changes.'),
  y: z.number(),
});

export const refusedParts = z
  .array(z.object({ name: z.string(), code: z.string(), reason: z.string() }))
  .describe('Categories of `within` that cannot be tested.');

const dispersions = z.object({
  trend: z
    .enum(['parametric', 'mean'])
    .describe('The curve a0 + a1 / mean, or one value for all where there is no such curve.'),
  coefficients: z.tuple([z.number(), z.number()]).describe('a0 and a1.'),
  replaced: count.describe(
    'Genes with an outlier count that was replaced, which needs seven or more replicates.',
  ),
  outliers: count.describe('Genes without a p-value because of an outlier count.'),
  filtered: count.describe('Genes without an adjusted p-value, as their mean count is below `least_mean`.'),
  least_mean: z.number(),
});

const pseudobulkPart = z.object({
  name: z.string().describe('The category of `within`; empty without one.'),
  formula: z.string().describe('The model, as R writes it.'),
  columns: z.array(z.string()).describe('Columns of the samples: the side, then the covariates.'),
  column_kinds: columnKinds,
  coefficients: z.array(z.string()),
  tested: z.array(z.number()).describe('Weight of each coefficient in what was tested.'),
  paired: z.boolean().describe('Samples with cells on both sides are compared with themselves.'),
  samples_of_both: count.describe('Samples with sums on both sides.'),
  samples: z.array(testedSum).describe('A sample with cells on both sides appears twice.'),
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

const pseudobulk = z
  .object({
    parts: z.array(pseudobulkPart).describe('What was tested, in the order of `groups`.'),
    refused: refusedParts,
  })
  .meta({ id: 'PseudobulkAnswer' });
export type PseudobulkResult = z.output<typeof pseudobulk>;

const side = z.object({ name: z.string(), cells: count.describe('Cells that were compared.') });

export const comparedResult = {
  test: z.string().describe('How it was tested, in words.'),
  a: side.describe('The cells of A.'),
  b: side.describe('The cells of B, or all other active cells.'),
  samples: z
    .object({
      ...sampleChoice.shape,
      a: count.describe('Samples with cells in A.'),
      b: count,
      both: count.describe('Samples with cells in both.'),
    })
    .nullable()
    .describe('`null` where no column says which sample a cell is from.'),
  groups: z
    .array(
      z.object({
        name: z.string().describe('The category of `within`; empty without one.'),
        cells_a: count,
        cells_b: count,
        higher: count.describe('Genes that pass both thresholds and are higher in A.'),
        lower: count.describe('Genes that pass both and are lower in A.'),
        few_cells: z.boolean().describe('Fewer than ten on a side.'),
      }),
    )
    .describe('What was compared, in the order of the categories.'),
  pseudobulk: pseudobulk.nullable().describe('Samples, design and checks; `null` for tests of cells.'),
  pseudobulk_offered: z
    .boolean()
    .describe('Cells were tested, although samples and raw counts allow tests with samples as replicates.'),
  within_offered: z
    .string()
    .nullable()
    .describe(
      'The column of cell types, else clusters, to compare `within`: A and B were compared over all cells together and are of other types. `null` where they are not, or no type has enough cells of both.',
    ),
  gene_count: count.describe('Genes of the table.'),
};
export type ComparedResult = z.output<z.ZodObject<typeof comparedResult>>;

const ofSums = 'pseudobulk and other tests of samples';
const table = {
  group: optional(text('Group', 'category of within')),
  names: text('Gene'),
  scores: number('Score'),
  logfoldchanges: number('Log2 fold change'),
  ci_low: optional(number('95 % from', ofSums)),
  ci_high: optional(number('95 % to', ofSums)),
  mean_log_cpm: optional(number('Mean log2 CPM', 'pseudobulk and quasi-likelihood')),
  mean_count: optional(number('Mean count', 'negative-binomial')),
  dispersion: optional(number('Dispersion', 'negative-binomial')),
  pvals: pValue('P-value'),
  pvals_adj: pValue('Adjusted p-value', 'of tests of samples empty for genes that were not tested'),
  pct_nz_a: optional(share('Expressing in A', 'tests of cells')),
  pct_nz_b: optional(share('Expressing in B', 'tests of cells')),
  mean_a: optional(number('Mean in A', 'tests of cells')),
  mean_b: optional(number('Mean in B', 'tests of cells')),
  auc: optional(number('AUC', 'wilcoxon')),
  not_tested: optional(text('Not tested', 'why, of the ends of a ranking')),
};

/** The input of volcano, MA and rank plots: the tested genes of one part. */
export interface ComparedGenes {
  readonly a: string;
  readonly b: string;
  /** Category whose cells are compared; empty for all. */
  readonly part: string;
  readonly test: string;
  readonly cells: { readonly a: number; readonly b: number };
  readonly genes: readonly string[];
  /** NaN if undefined. */
  readonly foldChanges: Float64Array;
  /** 0 if too small for a number, NaN if the gene was not tested. */
  readonly adjustedPs: Float64Array;
  /** Test statistics, positive if A is higher; NaN if the gene was not tested. */
  readonly scores: Float64Array;
  /** Mean expression over both sides; NaN if undefined. */
  readonly means: Float64Array;
  readonly meanTitle: string;
  readonly thresholds: { readonly adjustedP: number; readonly foldChange: number };
  readonly cautions?: readonly Caution[];
}

/** Name of files of the figure. */
export function volcano(file: string) {
  return figure<ComparedGenes>('volcano', 'Volcano Plot', { from: 'comparison', file });
}

/** Parts of the declaration of an analysis whose result is that of `compareGenes`. */
export const comparedParts = {
  fields: { table: 'deg', figure: 'volcano' },
  parameters: comparisonParameters,
  table,
  isStreamed: true,
  rows: { one: 'gene', many: 'genes', order: 'by rising p-value' },
  cautions: {},
  verb: 'Comparing',
  nothing: noneDiffer,
} as const;

function noneDiffer(
  { pvals_adj: p, logfoldchanges: change }: z.output<typeof comparisonParameters>,
  { groups, gene_count: genes, pseudobulk: sums }: ComparedResult,
) {
  if (groups.some(({ higher, lower }) => higher + lower > 0)) return undefined;
  const byGroup = sums?.parts.map((part) => part.genes_tested) ?? groups.map(() => genes);
  return {
    title: 'No Differing Genes',
    text: `None of ${testedText(byGroup)} has both an adjusted p-value below ${p} and a log2 fold change of ${change} or more in either direction. The table has all of them.`,
  };
}

/** `byGroup`: number of genes that were tested in each group. */
function testedText(byGroup: readonly number[]): string {
  if (byGroup.length === 1) return plural(byGroup[0]!, 'tested gene');
  const tests = byGroup.reduce((sum, genes) => sum + genes, 0);
  return `${plural(tests, 'test')} of a gene in a group`;
}
