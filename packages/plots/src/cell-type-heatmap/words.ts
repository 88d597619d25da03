import { z } from 'zod';
import { common, count, list, listed, named, number, plotWords, text, value, whole } from '../plot-words.ts';

export const cellTypeHeatmapWords = plotWords({
  kind: 'cell-type-heatmap',
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
    const lines = groups.slice(0, 20).map(({ label, cells, suggestion }, row) => {
      const best = columns
        .map((type, column) => ({ type, score: values[row * columns.length + column] ?? 0 }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, 2)
        .map(({ type, score }) => `${type} (${value(score)})`);
      const scores = best.length === 0 ? 'no score above 0' : listed(best);
      return `${label} (${whole(cells)} cells): ${suggestion ?? 'Unclear'}; ${scores}.`;
    });
    return {
      findings: [...(subtitle ? [`${subtitle}.`] : []), ...lines],
      cautions: [
        ...(groups.length < groupCount
          ? [`The figure leaves out ${whole(groupCount - groups.length)} groups.`]
          : []),
        ...(columns.length < typeCount
          ? [
              `Of ${whole(typeCount)} types the figure has the ${whole(columns.length)} that groups resemble most.`,
            ]
          : []),
      ],
    };
  },
  between: '\n',
  firstRows: ({ groups, columns, values, ...rest }, most) => ({
    ...rest,
    groups: groups.slice(0, most),
    columns: columns.slice(0, named),
    values: values.filter((_, at) => at % columns.length < named && Math.floor(at / columns.length) < most),
  }),
});
