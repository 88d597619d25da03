import { z } from 'zod';
import { ligandReceptorFigure } from '../ligand-receptor-dots/content.ts';
import { plotContent } from '../plot-content.ts';

/** How many ligand–receptor pairs pass between groups. */
export const ligandReceptorHeatmapContent = plotContent({
  kind: 'ligand-receptor-heatmap',
  name: 'Heatmap',
  schema: z.object({ kind: z.literal('ligand-receptor-heatmap'), ...ligandReceptorFigure }),
  inputs: (content) => ({
    interactions: { from: 'interactions', parameters: content, version: content.pairs_version },
  }),
  titles: () => ({ title: 'Ligand–receptor pairs between groups', subtitle: 'Heatmap' }),
});
