import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** The samples of a pseudobulk test with what the model knows of each. */
export const designContent = plotContent({
  kind: 'design',
  name: 'Samples and design',
  schema: z.object({ kind: z.literal('design'), ...pseudobulkFields }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Samples and design' }),
});
