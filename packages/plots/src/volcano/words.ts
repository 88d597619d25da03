import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords } from '../plot-words.ts';

export const volcanoWords = plotWords({
  kind: 'volcano',
  numbers: z.object({ kind: z.literal('volcano'), ...pointsNumbers }),
  sentences: (numbers) => pointsSentences(numbers),
  firstRows: firstNamed,
});
