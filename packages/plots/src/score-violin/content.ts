import { z } from 'zod';
import { byGroups, plotContent } from '../plot-content.ts';
import { scoreAddress, scoreChoices, scoreNames, scorePictured } from '../scores.ts';

export const scoreViolinContent = plotContent({
  kind: 'score-violin',
  name: 'Violin',
  schema: z.discriminatedUnion('of', [
    scoreChoices.signature.extend({ kind: z.literal('score-violin') }),
    scoreChoices.cellState.extend({ kind: z.literal('score-violin') }),
  ]),
  inputs: (score) => ({ groups: { from: 'column', of: 'groups' }, score: { from: 'score', score } }),
  titles: (score, groupedBy) => {
    const { title, noun } = scoreNames(score);
    return { title, subtitle: `${noun} ${byGroups(groupedBy)}` };
  },
  measure: () => 'score',
  shape: 'violin',
  address: scoreAddress,
  pictured: scorePictured,
});
