import { perturbations } from '@cellfolio/analyses';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';

const titles = { genes: 'Genes that perturbations change', similarity: 'Similar perturbations' } as const;

/** Perturbations by the genes that they change, or by each other. */
export const perturbationMatrix = declareFigure({
  kind: 'perturbation-matrix',
  name: 'Matrix of perturbations',
  schema: z.object({
    kind: z.literal('perturbation-matrix'),
    ...perturbations.request.shape,
    of: z
      .enum(['genes', 'similarity'])
      .default('genes')
      .describe(
        '`genes`: differences of genes from the controls; `similarity`: correlations of perturbations.',
      ),
  }),
  inputs: (content) => ({ screen: { from: 'perturbations', parameters: content } }),
  titles: ({ of }) => ({ title: titles[of], subtitle: 'Matrix of perturbations' }),
});
