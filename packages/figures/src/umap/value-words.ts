import { z } from 'zod';
import { pluralWord } from '@cellfolio/model';
import {
  count,
  inUnit,
  mapCautions,
  mapName,
  number,
  orderWords,
  plotWords,
  text,
  cells,
  percent,
  value,
  whole,
  scaleSentence,
  ofMap,
  someCells,
} from '../plot-words.ts';

export const geneUmapWords = plotWords({
  kind: 'gene-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('gene-umap'),
    ...ofMap,
    unit: text,
    expressing: count,
    withoutValue: count,
    domain: z.object({ low: number, high: number, max: number, clipped: z.boolean() }),
  }),
  sentences: ({
    title,
    axes: of,
    counts: shown,
    expressing,
    withoutValue,
    domain,
    unit,
    order: drawOrder,
  }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by ${title}${inUnit(unit)}.`,
      expressing === 0
        ? 'None of them has a value above 0, so none expresses the gene.'
        : `${whole(expressing)} of them (${percent(expressing, shown.cells)}) ${pluralWord(expressing, 'expresses', 'express')} the gene, with a value above 0, and the highest value is ${value(domain.max)}.`,
    ],
    cautions: [
      ...(domain.clipped
        ? [`Colors end at ${value(domain.high)}: cells above it look alike in the figure.`]
        : []),
      ...someCells(withoutValue, ['without a value is', 'without a value are'], 'drawn as not expressing.'),
      ...mapCautions(shown),
    ],
    general: [
      ...orderWords(drawOrder),
      'Positions on a UMAP show neighborhoods; distances between groups are not to scale.',
    ],
  }),
});

export const scoreUmapWords = plotWords({
  kind: 'score-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('score-umap'),
    ...ofMap,
    unit: text,
    subtitle: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ title, axes: of, counts: shown, domain, unit, subtitle, notScored, order: drawOrder }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by the score ${title}${inUnit(unit)}${subtitle ? `, made of ${subtitle}` : ''}.`,
      scaleSentence('Scores', shown.cells - notScored, domain),
    ],
    cautions: [...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []), ...mapCautions(shown)],
    general: [
      'A score compares the genes with control genes of similar expression; 0 means no difference.',
      ...orderWords(drawOrder),
    ],
  }),
});

/** For a column of numbers; the words of a categorical column are those of `category-umap`. */
export const obsUmapWords = plotWords({
  kind: 'obs-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('obs-umap'),
    ...ofMap,
    unit: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  sentences: ({ title, axes: of, counts: shown, domain, unit, notScored, order: drawOrder }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by ${title}${inUnit(unit, title)}.`,
      scaleSentence('Values', shown.cells - notScored, domain),
    ],
    cautions: [...someCells(notScored, ['has', 'have'], 'no value.'), ...mapCautions(shown)],
    general: orderWords(drawOrder),
  }),
});
