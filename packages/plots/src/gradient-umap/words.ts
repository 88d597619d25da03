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
  text,
  value,
} from '../plot-words.ts';

export const gradientUmapWords = plotWords({
  kind: 'gradient-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('gradient-umap'),
    ...common,
    counts,
    axes,
    order,
    subtitle: text,
    unit: text,
    notScored: count,
    domain: z.object({ min: number, max: number }),
  }),
  sentences: ({ axes: of, counts: shown, subtitle, unit, notScored, domain, order: drawn }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, coloured by their place along ${subtitle}.`,
      `Places of ${cells(shown.cells - notScored)} go from ${value(domain.min)} to ${value(domain.max)}${inUnit(unit)}.`,
    ],
    cautions: [
      ...(notScored > 0
        ? [
            `${cells(notScored)} ${notScored === 1 ? 'is' : 'are'} not tested: without a place, or in no sample that is.`,
          ]
        : []),
      ...mapCautions(shown),
    ],
    general: orderWords(drawn),
  }),
});
