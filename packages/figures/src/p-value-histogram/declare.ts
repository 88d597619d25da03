import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** Distribution of p-values from 0 to 1, which shows whether the model fits. */
export const pValueHistogram = declareFigure({
  kind: 'p-value-histogram',
  name: 'Histogram of p-values',
  schema: z.object({ kind: z.literal('p-value-histogram'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Histogram of p-values' }),
});
