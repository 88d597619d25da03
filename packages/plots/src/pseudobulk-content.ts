import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from './plot-content.ts';

const pseudobulkFields = {
  ...comparisonParameters.shape,
  part: dataName
    .optional()
    .describe('The category of `within` that is drawn; absent for that with most differing genes.'),
};

type PseudobulkContent = z.output<typeof comparisonParameters> & {
  part?: string | undefined;
  gene?: string;
};

export function pseudobulkInputs(content: PseudobulkContent) {
  const { part, gene } = content;
  return { tested: { from: 'pseudobulk', parameters: content, part, gene } } as const;
}

export function comparedTitle({ a, b }: Pick<PseudobulkContent, 'a' | 'b'>): string {
  return `${a.name} against ${b?.name ?? 'the rest'}`;
}

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

/** Distribution of p-values from 0 to 1, which shows whether the model fits. */
export const pValueHistogramContent = plotContent({
  kind: 'p-value-histogram',
  name: 'Histogram of p-values',
  schema: z.object({ kind: z.literal('p-value-histogram'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Histogram of p-values' }),
});

export const designContent = plotContent({
  kind: 'design',
  name: 'Samples and design',
  schema: z.object({ kind: z.literal('design'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Samples and design' }),
});

export const sampleDotsContent = plotContent({
  kind: 'sample-dots',
  name: 'Samples',
  schema: z.object({ kind: z.literal('sample-dots'), ...pseudobulkFields, gene: dataName }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: content.gene, subtitle: comparedTitle(content) }),
});

const maxGenes = 60;

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
