import { ligandReceptor } from '@cellfolio/analyses';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const maxNamedInteractions = 200;

const ligandReceptorFigure = {
  ...ligandReceptor.request.shape,
  pairs_version: z
    .string()
    .max(100)
    .optional()
    .describe('Version of the set of pairs: with another one the figure would be another.'),
};

export const ligandReceptorDotsContent = plotContent({
  kind: 'ligand-receptor-dots',
  name: 'Dot plot',
  schema: z.object({
    kind: z.literal('ligand-receptor-dots'),
    ...ligandReceptorFigure,
    interactions: z
      .array(z.object({ source: dataName, target: dataName, ligand: dataName, receptor: dataName }))
      .max(maxNamedInteractions)
      .optional()
      .describe('Interactions to draw, the most important first; absent for those of the smallest p-values.'),
  }),
  inputs: (content) => ({
    interactions: { from: 'ligand-receptor', parameters: content },
  }),
  titles: () => ({ title: 'Ligand–receptor pairs', subtitle: 'Dot plot' }),
});

export const ligandReceptorHeatmapContent = plotContent({
  kind: 'ligand-receptor-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('ligand-receptor-heatmap'), ...ligandReceptorFigure }),
  inputs: (content) => ({
    interactions: { from: 'ligand-receptor', parameters: content },
  }),
  titles: () => ({ title: 'Ligand–receptor pairs between groups', subtitle: 'Heatmap' }),
});
