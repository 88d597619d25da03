import { z } from 'zod';
import { violinGroup, violinNumbers, violinSentences } from '../drawing/violin/violin-words.ts';
import { count, firstGroups, list, plotWords } from '../plot-words.ts';

export const geneViolinWords = plotWords({
  kind: 'gene-violin',
  name: 'Violin plot',
  numbers: z.object({
    kind: z.literal('gene-violin'),
    ...violinNumbers,
    groups: list(violinGroup.extend({ expressing: count })),
  }),
  sentences: violinSentences,
  firstRows: firstGroups,
});
