import { z } from 'zod';
import { endsFields, endsTitle } from '../decile-input.ts';
import { declareFigure } from '../plot-content.ts';

/** The ends of a ranking by their cell types, as two bars. */
export const endComposition = declareFigure({
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
