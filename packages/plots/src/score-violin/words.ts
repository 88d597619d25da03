import { z } from 'zod';
import { violinGroup, violinNumbers, violinSentences } from '../drawing/violin/violin-words.ts';
import { count, firstGroups, list, plotWords } from '../plot-words.ts';

export const scoreViolinWords = plotWords({
  kind: 'score-violin',
  name: 'Violin plot',
  numbers: z.object({
    kind: z.literal('score-violin'),
    ...violinNumbers,
    groups: list(violinGroup),
    notScored: count,
  }),
  sentences: violinSentences,
  firstRows: firstGroups,
});
