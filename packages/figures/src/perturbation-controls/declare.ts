import { perturbations } from '@cellfolio/analyses';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';

/** Quantiles of the p-values of controls against controls, beside those by chance. */
export const perturbationControls = declareFigure({
  kind: 'perturbation-controls',
  name: 'Controls against controls',
  schema: z.object({ kind: z.literal('perturbation-controls'), ...perturbations.request.shape }),
  inputs: (content) => ({ screen: { from: 'perturbations', parameters: content } }),
  titles: () => ({ title: 'Controls against controls', subtitle: 'Quantiles of p-values' }),
});
