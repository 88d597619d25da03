import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields } from '../pseudobulk-content.ts';

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
