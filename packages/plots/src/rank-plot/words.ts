import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords } from '../plot-words.ts';

export const rankPlotWords = plotWords({
  kind: 'rank-plot',
  name: 'Rank plot',
  numbers: z.object({ kind: z.literal('rank-plot'), ...pointsNumbers }),
  sentences: (numbers) =>
    pointsSentences(
      numbers,
      `its rank from left to right, its score in the test upwards, the highest in ${numbers.sides.a} first`,
    ),
  firstRows: firstNamed,
});
