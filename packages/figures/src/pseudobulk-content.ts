import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from './plot-content.ts';

/** Fields of every figure of a test of samples. */
export const pseudobulkFields = {
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

export const designContent = plotContent({
  kind: 'design',
  name: 'Samples and design',
  schema: z.object({ kind: z.literal('design'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Samples and design' }),
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
