import { z } from 'zod';
import {
  common,
  count,
  counts,
  inUnit,
  number,
  order,
  orderWords,
  plotWords,
  text,
  cells,
  value,
} from '../plot-words.ts';

export const scoreUmapWords = plotWords({
  kind: 'score-umap',
  numbers: z.object({
    kind: z.literal('score-umap'),
    ...common,
    counts,
    order,
    unit: text,
    subtitle: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ counts: shown, domain, unit, subtitle, notScored, order: drawn }) => ({
    findings: [
      ...(subtitle ? [`The score is made of ${subtitle}.`] : []),
      `Over ${cells(shown.cells)}, scores go from ${value(domain.min)} to ${value(domain.max)}${inUnit(unit)}; the colours cover ${value(domain.low)} to ${value(domain.high)}.`,
      ...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []),
    ],
    cautions: [
      'A score compares the genes with control genes of like expression; 0 means no difference.',
      ...orderWords(drawn),
    ],
  }),
});
