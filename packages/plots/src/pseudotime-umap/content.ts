import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** Pseudotime on the map of cells. */
export const pseudotimeUmapContent = plotContent({
  kind: 'pseudotime-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('pseudotime-umap'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'Pseudotime', subtitle: 'UMAP by pseudotime' }),
  isMaps: true,
});
