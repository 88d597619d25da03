import { z } from 'zod';
import {
  common,
  count,
  list,
  listed,
  named,
  number,
  plotWords,
  pValue,
  text,
  value,
  whole,
} from '../plot-words.ts';

export const ligandReceptorDotsWords = plotWords({
  kind: 'ligand-receptor-dots',
  numbers: z.object({
    kind: z.literal('ligand-receptor-dots'),
    ...common,
    subtitle: text,
    best: list(
      z.object({ source: text, target: text, ligand: text, receptor: text, mean: number, p: number }),
    ),
    threshold: z.number(),
    passing: count,
    tested: count,
    permutations: count,
  }),
  sentences: ({ subtitle, best, threshold, passing, tested, permutations }) => {
    const said = best
      .filter(({ p }) => p !== null && p < threshold)
      .slice(0, named)
      .map(
        ({ source, target, ligand, receptor, mean, p }) =>
          `${ligand} of ${source} with ${receptor} of ${target} (mean ${value(mean)}, p ${p === 0 ? `< ${value(1 / permutations)}` : pValue(p)})`,
      );
    return {
      findings: [
        ...(subtitle ? [`${subtitle}.`] : []),
        `Of ${whole(tested)} interactions that are expressed in both groups, ${whole(passing)} have p < ${value(threshold)} by ${whole(permutations)} permutations.`,
        ...(said.length > 0 ? [`Surest first: ${listed(said)}.`] : []),
      ],
      cautions: [
        'Expression of both genes is no proof that the proteins are there, or that the cells touch.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, best: numbers.best.slice(0, rows) }),
});
