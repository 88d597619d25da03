import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords, text } from '../plot-words.ts';

export const maPlotWords = plotWords({
  kind: 'ma-plot',
  numbers: z.object({ kind: z.literal('ma-plot'), ...pointsNumbers, meanTitle: text }),
  sentences: ({ meanTitle, ...numbers }) =>
    pointsSentences(numbers, `Log2 fold changes are drawn against the ${meanTitle}.`),
  firstRows: firstNamed,
});
