import { perturbations } from '@cellfolio/analyses';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';

/** Perturbations of a screen by the genes that they change and their distance from the controls. */
export const perturbationEffects = declareFigure({
  kind: 'perturbation-effects',
  name: 'Effects of perturbations',
  schema: z.object({ kind: z.literal('perturbation-effects'), ...perturbations.request.shape }),
  inputs: (content) => ({ screen: { from: 'perturbations', parameters: content } }),
  titles: () => ({ title: 'Effects of perturbations', subtitle: 'Changed genes and energy distances' }),
});
