import { z } from 'zod';
import { endsFields, endsTitle } from '../ends-input.ts';
import { plotContent } from '../plot-content.ts';

/** How the values spread that cells were ranked by, and which of them are at the ends. */
export const endDistributionContent = plotContent({
  kind: 'end-distribution',
  name: 'Highest and lowest',
  schema: z.object({ kind: z.literal('end-distribution'), ...endsFields }),
  inputs: (content) => ({ ends: { from: 'ends', parameters: content } }),
  titles: (content) => ({ title: endsTitle(content), subtitle: `Highest and lowest ${content.share} %` }),
});
