import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** One gene in each sample on both sides of a test of samples. */
export const sampleDots = declareFigure({
  kind: 'sample-dots',
  name: 'Samples',
  schema: z.object({ kind: z.literal('sample-dots'), ...pseudobulkFields, gene: dataName }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: content.gene, subtitle: comparedTitle(content) }),
});
