import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords, text } from '../plot-words.ts';

export const maPlotWords = plotWords({
  kind: 'ma-plot',
  name: 'MA plot',
  numbers: z.object({ kind: z.literal('ma-plot'), ...pointsNumbers, meanTitle: text }),
  sentences: ({ meanTitle, ...numbers }) =>
    pointsSentences(
      numbers,
      `its ${meanTitle} from left to right, its log2 fold change (${numbers.sides.a} over ${numbers.sides.b}) upwards`,
    ),
  firstRows: firstNamed,
});
