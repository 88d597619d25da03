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
  text,
  value,
  whole,
} from '../plot-words.ts';

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
    const most = values
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
        `The heatmap counts the pairs of ligand and receptor with p < ${value(threshold)} between ${counted(rows.length, 'group')}, sources in rows and targets in columns.`,
        `${whole(passing)} of ${counted(tested, 'interaction')} that ${tested === 1 ? 'is' : 'are'} expressed in both groups ${passing === 1 ? 'passes' : 'pass'}${most.length > 0 ? `; two groups with the most are ${most[0]!}` : ''}.`,
      ],
      more: [
        ...(subtitle ? [`${subtitle}.`] : []),
        ...(most.length > 0 ? [`Most pairs: ${listed(most)}.`] : []),
      ],
      cautions:
        rows.length < groupCount
          ? [`The figure leaves out ${counted(groupCount - rows.length, 'group')}.`]
          : [],
      general: [
        'How many pairs pass depends on how many cells a group has and how many of the listed genes it expresses.',
      ],
    };
  },
  firstRows: ({ rows, columns, values, ...rest }, most) => ({
    ...rest,
    rows: rows.slice(0, most),
    columns: columns.slice(0, most),
    values: values.filter((_, at) => at % columns.length < most && Math.floor(at / columns.length) < most),
  }),
});
