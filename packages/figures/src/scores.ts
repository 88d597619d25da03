import { beforeMinimumGenes, type ScoreChoice } from '@cellfolio/analysis/parameters';

export {
  defaultMinimumGenes,
  minimumGenes,
  type ScoreChoice,
  scoreChoices,
} from '@cellfolio/analysis/parameters';

export function scoreNames(score: ScoreChoice): { title: string; noun: string } {
  return score.of === 'signature'
    ? { title: score.score_name, noun: 'Signature score' }
    : { title: score.cell_state, noun: 'Cell state' };
}

export const scoreAddress = {
  names: (score: ScoreChoice) =>
    score.of === 'signature'
      ? [score.of, score.score_name, ...score.genes]
      : [score.of, score.cell_state, String(score.minimum_genes)],
  read: ([of, name = '', ...rest]: readonly string[]) => {
    if (of === 'signature') return { of, score_name: name, genes: rest };
    // Addresses from before it could be chosen lack the number: any did.
    const minimum = Number(rest[0]);
    const isNumber = Number.isInteger(minimum) && minimum > 0;
    if (name === '') return undefined;
    return { of, cell_state: name, minimum_genes: isNumber ? minimum : beforeMinimumGenes };
  },
};

export function scorePictured(content: ScoreChoice): object {
  if (content.of === 'signature') return content;
  const { minimum_genes: _, ...rest } = content;
  return rest;
}
