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
  percent,
  plotWords,
  text,
  value,
  whole,
} from '../plot-words.ts';

const side = z.object({ label: text, high: number, max: number, clipped: z.boolean(), expressing: count });

export const pairUmapWords = plotWords({
  kind: 'pair-umap',
  numbers: z.object({
    kind: z.literal('pair-umap'),
    ...common,
    counts,
    order,
    unit: text,
    first: side,
    second: side,
    both: count,
    neither: count,
    withoutValue: count,
  }),
  sentences: ({ counts: shown, first, second, both, neither, unit, withoutValue, order: drawn }) => ({
    findings: [
      `Of ${cells(shown.cells)}, ${whole(first.expressing)} (${percent(first.expressing, shown.cells)}) express ${first.label} and ${whole(second.expressing)} (${percent(second.expressing, shown.cells)}) express ${second.label}; ${whole(both)} express both, ${whole(neither)} neither.`,
      `The highest values are ${value(first.max)} and ${value(second.max)}${inUnit(unit)}.`,
    ],
    cautions: [
      ...[first, second]
        .filter(({ clipped }) => clipped)
        .map(({ label, high }) => `Colours of ${label} end at ${value(high)}: cells above look alike.`),
      ...(withoutValue > 0 ? [`${whole(withoutValue)} values that are no numbers are drawn as 0.`] : []),
      ...orderWords(drawn),
      'A cell with both genes says nothing of two cells that touch: a UMAP shows no places in the tissue.',
    ],
  }),
});
