import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** How p-values are spread from 0 to 1, which tells whether the model fits. */
export const pValueHistogramContent = plotContent({
  kind: 'p-value-histogram',
  name: 'Histogram of p-values',
  schema: z.object({ kind: z.literal('p-value-histogram'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Histogram of p-values' }),
});
