import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  cells,
  count,
  inUnit,
  mapCautions,
  mapName,
  number,
  orderWords,
  percent,
  plotWords,
  text,
  value,
  whole,
  ofMap,
} from '../plot-words.ts';

const side = z.object({ label: text, high: number, max: number, clipped: z.boolean(), expressing: count });

export const pairUmapWords = plotWords({
  kind: 'pair-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('pair-umap'),
    ...ofMap,
    unit: text,
    first: side,
    second: side,
    both: count,
    neither: count,
    /** Cells with NaN or infinite values, drawn as without expression. */
    withoutValue: count,
  }),
  sentences: ({
    axes: of,
    counts: shown,
    first,
    second,
    both,
    neither,
    unit,
    withoutValue,
    order: drawOrder,
  }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by ${first.label} and ${second.label}${inUnit(unit)}: ${whole(both)} (${percent(both, shown.cells)}) with both and ${whole(neither)} with neither.`,
      `${first.label} is above 0 in ${cells(first.expressing)} (${percent(first.expressing, shown.cells)}), up to ${value(first.max)}, and ${second.label} in ${whole(second.expressing)} (${percent(second.expressing, shown.cells)}), up to ${value(second.max)}.`,
    ],
    cautions: [
      ...[first, second]
        .filter(({ clipped }) => clipped)
        .map(({ label, high }) => `Colors of ${label} end at ${value(high)}: cells above it look alike.`),
      ...(withoutValue > 0
        ? [
            `${plural(withoutValue, 'value that is not a number is', 'values that are not numbers are')} drawn as 0.`,
          ]
        : []),
      ...mapCautions(shown),
    ],
    general: [
      ...orderWords(drawOrder),
      'A cell with both genes does not show that two cells touch: a UMAP has no positions in the tissue.',
    ],
  }),
});
