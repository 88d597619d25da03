import { z } from 'zod';
import {
  cells,
  common,
  count,
  firstGroups,
  group,
  list,
  listed,
  named,
  number,
  percent,
  plotWords,
  text,
  value,
  whole,
} from '../plot-words.ts';

const distribution = z.object({
  cells: count,
  quartiles: z.tuple([number, number, number]),
  bounds: z.tuple([number, number]).nullable(),
  outside: count,
});

/** The median absolute deviation of fewer cells is itself uncertain, by 12 % in 100. */
const fewCells = 100;

export const qualityWords = plotWords({
  kind: 'quality',
  numbers: z
    .object({
      kind: z.literal('quality'),
      ...common,
      groupTitle: text,
      deviations: z.number(),
      measures: list(z.object({ column: text, title: text, log: z.boolean() })),
      groups: list(group.extend({ distributions: z.array(distribution.nullable()).max(20) })),
      groupCount: count,
    })
    .refine(({ groups, measures }) =>
      groups.every(({ distributions }) => distributions.length === measures.length),
    ),
  sentences: ({ measures, groups, groupCount, deviations }) => {
    const hidden = groupCount - groups.length;
    const few = groups.filter((one) => one.cells < fewCells).map(({ label }) => label);
    return {
      findings: measures.map((measure, place) => {
        const known = groups.flatMap(({ label, distributions }) => {
          const one = distributions[place];
          return one ? [{ label, ...one, share: one.outside / one.cells }] : [];
        });
        if (known.length === 0) return `${measure.column}: no cell has a value.`;
        const said = known
          .toSorted((a, b) => b.share - a.share || b.cells - a.cells)
          .slice(0, named)
          .map((one) => {
            const bounds =
              one.bounds === null
                ? 'no bounds, as most cells have one value'
                : `bounds ${value(one.bounds[0])} to ${value(one.bounds[1])}, ${whole(one.outside)} of ${cells(one.cells)} beyond (${percent(one.outside, one.cells)})`;
            return `${one.label} (median ${value(one.quartiles[1])}, ${bounds})`;
          });
        const most = known.length > 1 ? ', most cells beyond its bounds first' : '';
        return `${measure.column}${measure.log ? ', on a scale of log(1 + x)' : ''}${most}: ${listed(said)}.`;
      }),
      cautions: [
        `Bounds are the median ± ${value(deviations)} median absolute deviations of each group: a first look, not the truth. A type of cell that is large, active or stressed can lie beyond them and be sound.`,
        ...(few.length > 0
          ? [
              `With fewer than ${fewCells} cells the deviation is itself uncertain: ${listed(few.slice(0, named))}${few.length > named ? ' and others' : ''}.`,
            ]
          : []),
        ...(hidden > 0
          ? [`${whole(hidden)} smaller ${hidden === 1 ? 'group is' : 'groups are'} not in the figure.`]
          : []),
      ],
    };
  },
  firstRows: firstGroups,
  between: '\n',
});
