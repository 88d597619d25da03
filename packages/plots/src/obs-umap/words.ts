import { z } from 'zod';
import {
  axes,
  cells,
  common,
  count,
  counts,
  inUnit,
  mapCautions,
  mapName,
  number,
  order,
  orderWords,
  plotWords,
  scaleSentence,
  text,
} from '../plot-words.ts';

/** Of a column of numbers; one of categories is told as a `category-umap`. */
export const obsUmapWords = plotWords({
  kind: 'obs-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('obs-umap'),
    ...common,
    counts,
    axes,
    order,
    unit: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ title, axes: of, counts: shown, domain, unit, notScored, order: drawn }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, coloured by ${title}${inUnit(unit, title)}.`,
      scaleSentence('Values', shown.cells - notScored, domain),
    ],
    cautions: [
      ...(notScored > 0 ? [`${cells(notScored)} ${notScored === 1 ? 'has' : 'have'} no value.`] : []),
      ...mapCautions(shown),
    ],
    general: orderWords(drawn),
  }),
});
