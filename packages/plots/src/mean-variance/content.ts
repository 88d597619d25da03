import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** How much genes vary between samples over their mean count, and the curve that the test takes of it. */
export const meanVarianceContent = plotContent({
  kind: 'mean-variance',
  name: 'Mean and variance of genes',
  schema: z.object({ kind: z.literal('mean-variance'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({
    title: comparedTitle(content),
    subtitle: `Mean and ${content.method === 'negative-binomial' ? 'dispersion' : 'variance'} of genes`,
  }),
});
