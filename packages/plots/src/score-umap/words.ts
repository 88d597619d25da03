import { z } from 'zod';
import {
  axes,
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
  text,
  cells,
  scaleSentence,
} from '../plot-words.ts';

export const scoreUmapWords = plotWords({
  kind: 'score-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('score-umap'),
    ...common,
    counts,
    axes,
    order,
    unit: text,
    subtitle: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ title, axes: of, counts: shown, domain, unit, subtitle, notScored, order: drawn }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, coloured by the score ${title}${inUnit(unit)}${subtitle ? `, made of ${subtitle}` : ''}.`,
      scaleSentence('Scores', shown.cells - notScored, domain),
    ],
    cautions: [...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []), ...mapCautions(shown)],
    general: [
      'A score compares the genes with control genes of like expression; 0 means no difference.',
      ...orderWords(drawn),
    ],
  }),
});
