import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from './plot-content.ts';

/** What every figure of a pseudobulk test is of. */
const pseudobulkFields = {
  ...comparisonParameters.shape,
  part: dataName
    .optional()
    .describe('The category of `within` that is drawn; absent for that with most differing genes.'),
};

type PseudobulkContent = z.output<typeof comparisonParameters> & {
  readonly part?: string | undefined;
  readonly gene?: string;
};

export function pseudobulkInputs(content: PseudobulkContent) {
  const { part, gene } = content;
  return { tested: { from: 'pseudobulk', parameters: content, part, gene } } as const;
}

export function comparedTitle({ a, b }: Pick<PseudobulkContent, 'a' | 'b'>): string {
  return `${a.name} against ${b?.name ?? 'the rest'}`;
}

/** The samples of a pseudobulk test in the plane: those that differ lie apart. */
export const sampleMapContent = plotContent({
  kind: 'sample-map',
  name: 'Map of samples',
  schema: z.object({
    kind: z.literal('sample-map'),
    ...pseudobulkFields,
    shapes: dataName
      .optional()
      .describe(
        'A column of the model that is told by shapes, or beside the names if it has more than 4 values; absent for the first covariate of 2 to 4 values.',
      ),
  }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Map of samples' }),
});

/** How much genes vary between samples over their mean count, and the curve that the test takes of it. */
export const meanVarianceContent = plotContent({
  kind: 'mean-variance',
  name: 'Mean and variance of genes',
  schema: z.object({ kind: z.literal('mean-variance'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({
    title: comparedTitle(content),
    subtitle: `Mean and ${content.method === 'pseudobulk' ? 'variance' : 'dispersion'} of genes`,
  }),
});

/** How p-values are spread from 0 to 1, which tells whether the model fits. */
export const pValueHistogramContent = plotContent({
  kind: 'p-value-histogram',
  name: 'Histogram of p-values',
  schema: z.object({ kind: z.literal('p-value-histogram'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Histogram of p-values' }),
});

/** The samples of a pseudobulk test with what the model knows of each. */
export const designContent = plotContent({
  kind: 'design',
  name: 'Samples and design',
  schema: z.object({ kind: z.literal('design'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Samples and design' }),
});

/** One gene of a pseudobulk test, sample by sample. */
export const sampleDotsContent = plotContent({
  kind: 'sample-dots',
  name: 'Samples',
  schema: z.object({ kind: z.literal('sample-dots'), ...pseudobulkFields, gene: dataName }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: content.gene, subtitle: comparedTitle(content) }),
});

/** Most genes of one figure. */
const maxGenes = 60;

/** The surest genes of a pseudobulk test in each sample. */
export const sampleHeatmapContent = plotContent({
  kind: 'sample-heatmap',
  name: 'Genes by sample',
  schema: z.object({
    kind: z.literal('sample-heatmap'),
    ...pseudobulkFields,
    most: z.number().int().min(1).max(maxGenes).default(30).describe('Genes of the smallest p-values.'),
  }),
  inputs: (content) => {
    const { part, most } = content;
    return { tested: { from: 'pseudobulk', parameters: content, part, most } };
  },
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Genes by sample' }),
});
