import { z } from 'zod';
import { cells, common, count, counts, order, orderWords, plotWords, text } from '../plot-words.ts';

export const pseudotimeUmapWords = plotWords({
  kind: 'pseudotime-umap',
  numbers: z.object({
    kind: z.literal('pseudotime-umap'),
    ...common,
    counts,
    order,
    subtitle: text,
    notScored: count,
  }),
  sentences: ({ counts: shown, subtitle, notScored, order: drawn }) => ({
    findings: [
      `Diffusion pseudotime of ${cells(shown.cells - notScored)} goes ${subtitle} at 0 to the farthest cell at 1.`,
      ...(notScored > 0
        ? [`${cells(notScored)} have none: not connected with the root, or without principal components.`]
        : []),
    ],
    cautions: orderWords(drawn),
  }),
});
