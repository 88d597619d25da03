import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  cells,
  common,
  count,
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

export const cellTypeHeatmapWords = plotWords({
  kind: 'cell-type-heatmap',
  name: 'Heatmap',
  numbers: z
    .object({
      kind: z.literal('cell-type-heatmap'),
      ...common,
      subtitle: text,
      groups: list(z.object({ label: text, cells: count, suggestion: text.nullable() })),
      columns: list(text),
      values: list(number),
      groupCount: count,
      typeCount: count,
    })
    .refine(({ groups, columns, values }) => values.length === groups.length * columns.length),
  sentences: ({ subtitle, groups, columns, values, groupCount, typeCount }) => {
    const lines = groups.slice(0, 20).map(({ label, cells: own, suggestion }, row) => {
      const best = columns
        .map((type, column) => ({ type, score: values[row * columns.length + column] ?? 0 }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, 2)
        .map(({ type, score }) => `${type} (${value(score)})`);
      const scores = best.length === 0 ? 'no score above 0' : listed(best);
      return `${label} (${cells(own)}): ${suggestion ?? 'Unclear'}; ${scores}.`;
    });
    const all = groups.reduce((sum, one) => sum + one.cells, 0);
    const suggested = groups.filter(({ suggestion }) => suggestion !== null).length;
    const place = values.reduce<number>(
      (best, score, at) => ((score ?? 0) > (values[best] ?? 0) ? at : best),
      0,
    );
    const [label, type] = [
      groups[Math.floor(place / columns.length)]?.label,
      columns[place % columns.length],
    ];
    const score = values[place] ?? 0;
    const topMatch =
      label === undefined || type === undefined || score <= 0 ? undefined : { label, type, score };
    return {
      reading: [
        `The heatmap scores ${plural(groups.length, 'group')} (${cells(all)}) for ${plural(columns.length, 'cell type')} by marker genes.`,
        `${whole(suggested)} of ${plural(groups.length, 'group')} ${pluralWord(suggested, 'has', 'have')} a suggestion${topMatch === undefined ? '' : `; the highest score is ${value(topMatch.score)}, of ${groupName(topMatch.label)} for ${topMatch.type}`}.`,
      ],
      more: [...(subtitle ? [`${subtitle}.`] : []), ...lines],
      cautions: [
        ...(groups.length < groupCount
          ? [`The figure leaves out ${plural(groupCount - groups.length, 'group')}.`]
          : []),
        ...(columns.length < typeCount
          ? [
              `Of ${whole(typeCount)} types the figure shows the ${whole(columns.length)} most similar to the groups.`,
            ]
          : []),
      ],
    };
  },
  between: '\n',
  firstRows: ({ groups, columns, values, ...rest }, limit) => ({
    ...rest,
    groups: groups.slice(0, limit),
    columns: columns.slice(0, named),
    values: values.filter((_, at) => at % columns.length < named && Math.floor(at / columns.length) < limit),
  }),
});
