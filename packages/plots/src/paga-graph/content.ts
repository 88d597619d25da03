import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** How groups of cells hang together, over the map of cells. */
export const pagaGraphContent = plotContent({
  kind: 'paga-graph',
  name: 'Connectivity of groups',
  schema: z.object({ kind: z.literal('paga-graph'), ...trajectoryParameters.shape }),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    column: { from: 'obs', column: content.groupby },
    trajectory: { from: 'trajectory', parameters: content },
  }),
  titles: () => ({ title: 'PAGA graph', subtitle: 'Connectivity of groups' }),
  isMaps: true,
});
