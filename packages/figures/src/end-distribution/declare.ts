import { z } from 'zod';
import { endsFields, endsTitle } from '../decile-input.ts';
import { declareFigure } from '../plot-content.ts';

/** Cells by the value that they are ranked by, with both ends marked. */
export const endDistribution = declareFigure({
  kind: 'end-distribution',
  name: 'Highest and lowest',
  schema: z.object({ kind: z.literal('end-distribution'), ...endsFields }),
  inputs: (content) => ({ ends: { from: 'ends', parameters: content } }),
  titles: (content) => ({ title: endsTitle(content), subtitle: `Highest and lowest ${content.share} %` }),
});
