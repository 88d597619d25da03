import { z } from 'zod';
import { firstNamed, pointsNumbers, pointsSentences } from '../drawing/gene-points/points-words.ts';
import { plotWords } from '../plot-words.ts';

export const volcanoWords = plotWords({
  kind: 'volcano',
  name: 'Volcano plot',
  numbers: z.object({ kind: z.literal('volcano'), ...pointsNumbers }),
  sentences: (numbers) =>
    pointsSentences(
      numbers,
      `its log2 fold change (${numbers.sides.a} over ${numbers.sides.b}) from left to right, −log10 of its adjusted p upwards`,
    ),
  firstRows: firstNamed,
});
