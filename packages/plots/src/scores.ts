import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';

/** Fewest genes of a cell state that a dataset has to have, unless the caller says otherwise. */
export const defaultMinimumGenes = 3;

export const minimumGenes = z
  .number()
  .int()
  .min(1, 'Ask for at least one gene.')
  .max(1000)
  .describe(
    'A state of which the dataset has fewer genes is not scored: one or two genes show themselves, not the state.',
  );

/** What figures were drawn with before it could be chosen. New ones say it, so that no default speaks for them. */
const beforeMinimumGenes = 1;

/** The scores that a figure can show. */
export const scoreChoices = {
  signature: z.object({
    of: z.literal('signature'),
    score_name: z.string().max(200),
    genes: z.array(geneName).min(1).max(20_000),
  }),
  cellState: z.object({
    of: z.literal('cell-state'),
    cell_state: z.string().max(100),
    minimum_genes: minimumGenes
      .default(beforeMinimumGenes)
      .describe(
        `Fewest genes to score; ${beforeMinimumGenes} where it is absent, as older figures were drawn.`,
      ),
  }),
};

export type ScoreChoice = z.output<(typeof scoreChoices)[keyof typeof scoreChoices]>;

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

/** The fewest genes of a cell state decide only whether it is drawn. */
export function scorePictured(content: ScoreChoice): object {
  if (content.of === 'signature') return content;
  const { minimum_genes: _, ...rest } = content;
  return rest;
}
