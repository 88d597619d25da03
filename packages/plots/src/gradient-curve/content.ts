import { gradientParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Means of some genes along an axis, with bands of their standard errors. */
export const gradientCurveContent = plotContent({
  kind: 'gradient-curve',
  name: 'Curves',
  schema: z.object({ kind: z.literal('gradient-curve'), ...gradientParameters.shape }),
  inputs: (content) => ({
    gradient: { from: 'gradient', parameters: content },
  }),
  titles: () => ({ title: 'Genes along an axis', subtitle: 'Curves by place on the axis' }),
});
