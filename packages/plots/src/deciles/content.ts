import { z } from 'zod';
import { endsFields, endsTitle } from '../decile-input.ts';
import { plotContent } from '../plot-content.ts';

export const endCompositionContent = plotContent({
  kind: 'end-composition',
  name: 'Cells in the highest and lowest',
  schema: z.object({ kind: z.literal('end-composition'), ...endsFields }),
  inputs: (content) => ({
    ends: { from: 'ends', parameters: content },
    parts: { from: 'column', of: 'groups' },
  }),
  titles: (content, groupedBy) => ({
    title: endsTitle(content),
    subtitle: `${groupedBy === 'none' ? 'Cells' : `Shares of each ${groupedBy}`} in the highest and lowest ${content.share} %`,
  }),
});

export const endDistributionContent = plotContent({
  kind: 'end-distribution',
  name: 'Highest and lowest',
  schema: z.object({ kind: z.literal('end-distribution'), ...endsFields }),
  inputs: (content) => ({ ends: { from: 'ends', parameters: content } }),
  titles: (content) => ({ title: endsTitle(content), subtitle: `Highest and lowest ${content.share} %` }),
});
