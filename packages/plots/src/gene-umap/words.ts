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
  percent,
  value,
  whole,
} from '../plot-words.ts';

export const geneUmapWords = plotWords({
  kind: 'gene-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('gene-umap'),
    ...common,
    counts,
    axes,
    order,
    unit: text,
    expressing: count,
    withoutValue: count,
    domain: z.object({ low: number, high: number, max: number, clipped: z.boolean() }),
  }),
  sentences: ({ title, axes: of, counts: shown, expressing, withoutValue, domain, unit, order: drawn }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, coloured by ${title}${inUnit(unit)}.`,
      expressing === 0
        ? 'None of them has a value above 0, so none expresses the gene.'
        : `${whole(expressing)} of them (${percent(expressing, shown.cells)}) ${expressing === 1 ? 'expresses' : 'express'} the gene, with a value above 0, and the highest value is ${value(domain.max)}.`,
    ],
    cautions: [
      ...(domain.clipped
        ? [`Colours end at ${value(domain.high)}: cells above it look alike in the figure.`]
        : []),
      ...(withoutValue > 0
        ? [
            `${cells(withoutValue)} without a value ${withoutValue === 1 ? 'is' : 'are'} drawn as not expressing.`,
          ]
        : []),
      ...mapCautions(shown),
    ],
    general: [
      ...orderWords(drawn),
      'Positions on a UMAP show neighbourhoods; distances between groups are not to scale.',
    ],
  }),
});
