import { compositionParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle } from '../pseudobulk-content.ts';

/** Shares of categories in the samples of two sides. */
export const compositionDotsContent = plotContent({
  kind: 'composition-dots',
  name: 'Composition of samples',
  schema: z.object({ kind: z.literal('composition-dots'), ...compositionParameters.shape }),
  inputs: (content) => ({ composition: { from: 'composition', parameters: content } }),
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Composition of samples' }),
});
