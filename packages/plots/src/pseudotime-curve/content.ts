import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Means of some genes along pseudotime, with bands of their standard errors. */
export const pseudotimeCurveContent = plotContent({
  kind: 'pseudotime-curve',
  name: 'Curves',
  schema: z.object({ kind: z.literal('pseudotime-curve'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Genes along pseudotime', subtitle: 'Curves by pseudotime' }),
});
