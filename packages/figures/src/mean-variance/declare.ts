import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** Variation of genes between samples over their mean count, with the curve that the test fits. */
export const meanVariance = declareFigure({
  kind: 'mean-variance',
  name: 'Mean and variance of genes',
  schema: z.object({ kind: z.literal('mean-variance'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({
    title: comparedTitle(content),
    subtitle: `Mean and ${content.method === 'pseudobulk' ? 'variance' : 'dispersion'} of genes`,
  }),
});
