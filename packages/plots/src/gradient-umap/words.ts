import { z } from 'zod';
import {
  cells,
  common,
  count,
  counts,
  inUnit,
  number,
  order,
  orderWords,
  plotWords,
  text,
  value,
} from '../plot-words.ts';

export const gradientUmapWords = plotWords({
  kind: 'gradient-umap',
  numbers: z.object({
    kind: z.literal('gradient-umap'),
    ...common,
    counts,
    order,
    subtitle: text,
    unit: text,
    notScored: count,
    domain: z.object({ min: number, max: number }),
  }),
  sentences: ({ counts: shown, subtitle, unit, notScored, domain, order: drawn }) => ({
    findings: [
      `${cells(shown.cells - notScored)} lie along ${subtitle}, from ${value(domain.min)} to ${value(domain.max)}${inUnit(unit)}.`,
      ...(notScored > 0
        ? [`${cells(notScored)} are not tested: without a place, or in no sample that is.`]
        : []),
    ],
    cautions: orderWords(drawn),
  }),
});
