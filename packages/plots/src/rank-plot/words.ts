import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords } from '../plot-words.ts';

export const rankPlotWords = plotWords({
  kind: 'rank-plot',
  numbers: z.object({ kind: z.literal('rank-plot'), ...pointsNumbers }),
  sentences: (numbers) =>
    pointsSentences(
      numbers,
      `Genes are ranked by the score of the test, the highest in ${numbers.sides.a} first.`,
    ),
  firstRows: firstNamed,
});
