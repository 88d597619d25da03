import { z } from 'zod';
import {
  common,
  count,
  counted,
  groupName,
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
  name: 'Dot plot',
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
          `${ligand} of ${groupName(source)} with ${receptor} of ${groupName(target)} (mean ${value(mean)}, p ${p === 0 ? `< ${value(1 / permutations)}` : pValue(p)})`,
      );
    return {
      reading: [
        `Each dot is a ligand of one group with its receptor in another: its area grows as the p-value of ${counted(permutations, 'permutation')} falls, its colour is the mean expression of both.`,
        `Of ${counted(tested, 'interaction')} that ${tested === 1 ? 'is' : 'are'} expressed in both groups, ${whole(passing)} ${passing === 1 ? 'has' : 'have'} p < ${value(threshold)}${said.length > 0 ? `; the smallest p is that of ${said[0]!}` : ''}.`,
      ],
      more: [
        ...(subtitle ? [`${subtitle}.`] : []),
        ...(said.length > 0 ? [`Surest first: ${listed(said)}.`] : []),
      ],
      cautions: [],
      general: ['Expression of both genes is no proof that the proteins are there, or that the cells touch.'],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, best: numbers.best.slice(0, rows) }),
});
