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
  percent,
  value,
  whole,
} from '../plot-words.ts';

export const geneUmapWords = plotWords({
  kind: 'gene-umap',
  numbers: z.object({
    kind: z.literal('gene-umap'),
    ...common,
    counts,
    order,
    unit: text,
    expressing: count,
    withoutValue: count,
    domain: z.object({ low: number, high: number, max: number, clipped: z.boolean() }),
  }),
  sentences: ({ counts: shown, expressing, withoutValue, domain, unit, order: drawn }) => ({
    findings: [
      `${cells(expressing)} of ${whole(shown.cells)} (${percent(expressing, shown.cells)}) express the gene, with a value above 0.`,
      ...(expressing > 0 ? [`The highest value is ${value(domain.max)}${inUnit(unit)}.`] : []),
    ],
    cautions: [
      ...(domain.clipped
        ? [`Colours end at ${value(domain.high)}: cells above it look alike in the figure.`]
        : []),
      ...(withoutValue > 0 ? [`${cells(withoutValue)} without a value are drawn as not expressing.`] : []),
      ...orderWords(drawn),
      'Positions on a UMAP show neighbourhoods; distances between groups are not to scale.',
    ],
  }),
});
