import { z } from 'zod';
import { grouping, groupingInput } from '../grouping.ts';
import { byGroups, jsonAddress, plotContent } from '../plot-content.ts';

export const embeddingDensityContent = plotContent({
  kind: 'embedding-density',
  name: 'Density on the UMAP',
  schema: z.object({
    kind: z.literal('embedding-density'),
    by: grouping.optional().describe('Cell types, else clusters, else all cells, if absent.'),
  }),
  inputs: ({ by }) => ({
    embedding: { from: 'embedding' },
    groups: groupingInput(by),
    // Which cells the dense ones are.
    types: { from: 'column', of: 'groups' },
  }),
  titles: ({ by }, groupedBy, titleOf) => ({
    title: by === undefined ? `Density ${byGroups(groupedBy)}` : `Density by ${titleOf(by.column)}`,
    subtitle: 'Density on the UMAP',
  }),
  isMaps: true,
  byGroup: {},
  address: jsonAddress,
});
