import { composition } from '@cellfolio/analyses';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';
import { comparedTitle } from '../pseudobulk-content.ts';

/** Shares of categories in each sample on both sides of a comparison. */
export const compositionDots = declareFigure({
  kind: 'composition-dots',
  name: 'Composition of samples',
  schema: z.object({ kind: z.literal('composition-dots'), ...composition.request.shape }),
  inputs: (content) => ({ composition: { from: 'composition', parameters: content } }),
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Composition of samples' }),
});
