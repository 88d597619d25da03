import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { scoreAddress, scoreChoices, scoreNames, scorePictured } from '../scores.ts';

export const scoreUmapContent = plotContent({
  kind: 'score-umap',
  name: 'UMAP',
  schema: z.discriminatedUnion('of', [
    scoreChoices.signature.extend({ kind: z.literal('score-umap') }),
    scoreChoices.cellState.extend({ kind: z.literal('score-umap') }),
  ]),
  inputs: (score) => ({ embedding: { from: 'embedding' }, score: { from: 'score', score } }),
  titles: (score) => {
    const { title, noun } = scoreNames(score);
    return { title, subtitle: `${noun} UMAP` };
  },
  measure: () => 'score',
  address: scoreAddress,
  pictured: scorePictured,
});
