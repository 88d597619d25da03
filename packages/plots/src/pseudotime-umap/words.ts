import { z } from 'zod';
import {
  axes,
  cells,
  common,
  count,
  counts,
  mapCautions,
  mapName,
  order,
  orderWords,
  plotWords,
  text,
} from '../plot-words.ts';

export const pseudotimeUmapWords = plotWords({
  kind: 'pseudotime-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('pseudotime-umap'),
    ...common,
    counts,
    axes,
    order,
    subtitle: text,
    notScored: count,
  }),
  sentences: ({ axes: of, counts: shown, subtitle, notScored, order: drawn }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, coloured by diffusion pseudotime.`,
      `Pseudotime of ${cells(shown.cells - notScored)} goes ${subtitle} at 0 to the farthest cell at 1.`,
    ],
    cautions: [
      ...(notScored > 0
        ? [
            `${cells(notScored)} ${notScored === 1 ? 'has' : 'have'} no pseudotime: not connected with the root, or without principal components.`,
          ]
        : []),
      ...mapCautions(shown),
    ],
    general: orderWords(drawn),
  }),
});
