import { z } from 'zod';
import {
  cells,
  common,
  count,
  counts,
  number,
  order,
  orderWords,
  plotWords,
  text,
  value,
} from '../plot-words.ts';

/** Of a column of numbers; one of categories is told as a `category-umap`. */
export const obsUmapWords = plotWords({
  kind: 'obs-umap',
  numbers: z.object({
    kind: z.literal('obs-umap'),
    ...common,
    counts,
    order,
    unit: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ counts: shown, domain, unit, notScored, order: drawn }) => ({
    findings: [
      `Over ${cells(shown.cells)}, ${unit} goes from ${value(domain.min)} to ${value(domain.max)}; the colours cover ${value(domain.low)} to ${value(domain.high)}.`,
      ...(notScored > 0 ? [`${cells(notScored)} have no value.`] : []),
    ],
    cautions: orderWords(drawn),
  }),
});
