import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** One gene of a pseudobulk test, sample by sample. */
export const sampleDotsContent = plotContent({
  kind: 'sample-dots',
  name: 'Samples',
  schema: z.object({ kind: z.literal('sample-dots'), ...pseudobulkFields, gene: dataName }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: content.gene, subtitle: comparedTitle(content) }),
});
