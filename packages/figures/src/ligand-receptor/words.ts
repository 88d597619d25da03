import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  common,
  count,
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
    const phrases = best
      .filter(({ p }) => p !== null && p < threshold)
      .slice(0, named)
      .map(
        ({ source, target, ligand, receptor, mean, p }) =>
          `${ligand} of ${groupName(source)} with ${receptor} of ${groupName(target)} (mean ${value(mean)}, p ${p === 0 ? `< ${value(1 / permutations)}` : pValue(p)})`,
      );
    return {
      reading: [
        `Each dot is a ligand of one group with its receptor in another: its area grows as the p-value of ${plural(permutations, 'permutation')} falls, its color is the mean expression of both.`,
        `Of ${plural(tested, 'interaction')} that ${pluralWord(tested, 'is', 'are')} expressed in both groups, ${plural(passing, 'has', 'have')} p < ${value(threshold)}${phrases.length > 0 ? `; the smallest p is that of ${phrases[0]!}` : ''}.`,
      ],
      more: [
        ...(subtitle ? [`${subtitle}.`] : []),
        ...(phrases.length > 0 ? [`By p-value: ${listed(phrases)}.`] : []),
      ],
      cautions: [],
      general: [
        'Expression of both genes does not prove that the proteins are present or that the cells touch.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, best: numbers.best.slice(0, rows) }),
});

export const ligandReceptorHeatmapWords = plotWords({
  kind: 'ligand-receptor-heatmap',
  name: 'Heatmap',
  numbers: z
    .object({
      kind: z.literal('ligand-receptor-heatmap'),
      ...common,
      subtitle: text,
      rows: list(text),
      columns: list(text),
      values: list(number),
      threshold: z.number(),
      passing: count,
      tested: count,
      groupCount: count,
    })
    .refine(({ rows, columns, values }) => values.length === rows.length * columns.length),
  sentences: ({ subtitle, rows, columns, values, threshold, passing, tested, groupCount }) => {
    const topPairs = values
      .map((pairs, at) => ({
        pairs: pairs ?? 0,
        source: rows[Math.floor(at / columns.length)]!,
        target: columns[at % columns.length]!,
      }))
      .filter(({ pairs }) => pairs > 0)
      .toSorted((one, other) => other.pairs - one.pairs)
      .slice(0, named)
      .map(({ pairs, source, target }) => `${groupName(source)} to ${groupName(target)} (${whole(pairs)})`);
    return {
      reading: [
        `The heatmap counts the pairs of ligand and receptor with p < ${value(threshold)} between ${plural(rows.length, 'group')}, sources in rows and targets in columns.`,
        `${whole(passing)} of ${plural(tested, 'interaction')} that ${pluralWord(tested, 'is', 'are')} expressed in both groups ${pluralWord(passing, 'passes', 'pass')}${topPairs.length > 0 ? `; two groups with the most are ${topPairs[0]!}` : ''}.`,
      ],
      more: [
        ...(subtitle ? [`${subtitle}.`] : []),
        ...(topPairs.length > 0 ? [`Most pairs: ${listed(topPairs)}.`] : []),
      ],
      cautions:
        rows.length < groupCount
          ? [`The figure leaves out ${plural(groupCount - rows.length, 'group')}.`]
          : [],
      general: [
        'The number of passing pairs depends on the cells of a group and the listed genes it expresses.',
      ],
    };
  },
  firstRows: ({ rows, columns, values, ...rest }, limit) => ({
    ...rest,
    rows: rows.slice(0, limit),
    columns: columns.slice(0, limit),
    values: values.filter((_, at) => at % columns.length < limit && Math.floor(at / columns.length) < limit),
  }),
});
