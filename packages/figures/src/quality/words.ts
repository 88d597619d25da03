import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  cells,
  common,
  count,
  firstGroups,
  group,
  groupName,
  list,
  listed,
  listedSome,
  named,
  number,
  percent,
  plotWords,
  smallerLeftOut,
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

/** The median absolute deviation of fewer cells is itself uncertain, by 12 % for 100. */
const fewCells = 100;

function mostBeyond(
  measures: readonly { title: string }[],
  groups: readonly {
    label: string;
    distributions: readonly (z.output<typeof distribution> | null)[];
  }[],
): string {
  const measured = groups.flatMap(({ label, distributions }) =>
    measures.flatMap(({ title }, place) => {
      const one = distributions[place];
      return one ? [{ label, title, outside: one.outside, cells: one.cells }] : [];
    }),
  );
  const [highest] = measured.toSorted((a, b) => b.outside / b.cells - a.outside / a.cells);
  if (highest === undefined) return 'No cell has a value.';
  if (highest.outside === 0) return 'No cell is beyond these lines.';
  const shareOf = (one: typeof highest) => percent(one.outside, one.cells);
  const tied = measured.filter((one) => shareOf(one) === shareOf(highest));
  if (tied.length > 1)
    return `The largest share beyond these lines is ${shareOf(highest)}, in ${whole(tied.length)} of the violins.`;
  return `The largest share beyond these lines is that of ${highest.title} in ${groupName(highest.label)}: ${whole(highest.outside)} of ${cells(highest.cells)} (${percent(highest.outside, highest.cells)}).`;
}

export const qualityWords = plotWords({
  kind: 'quality',
  name: 'Violin plots',
  numbers: z
    .object({
      kind: z.literal('quality'),
      ...common,
      groupTitle: text,
      deviations: z.number(),
      measures: list(
        z
          .object({ title: text, axis: text.optional(), log: z.boolean() })
          .transform(({ title, axis = title, log }) => ({ title: axis, log })),
      ),
      groups: list(group.extend({ distributions: z.array(distribution.nullable()).max(20) })),
      groupCount: count,
    })
    .refine(({ groups, measures }) =>
      groups.every(({ distributions }) => distributions.length === measures.length),
    ),
  sentences: ({ measures, groups, groupCount, groupTitle, deviations }) => {
    const all = groups.reduce((sum, one) => sum + one.cells, 0);
    const few = groups.filter((one) => one.cells < fewCells).map(({ label }) => label);
    return {
      reading: [
        `The violins show ${plural(measures.length, 'measure')} of quality in ${cells(all)}${groupTitle === '' ? '' : ` of ${plural(groups.length, 'group')} by ${groupTitle}`}, with lines at the median ± ${value(deviations)} median absolute deviations.`,
        mostBeyond(measures, groups),
      ],
      more: measures.map((measure, place) => {
        const measured = groups.flatMap(({ label, distributions }) => {
          const one = distributions[place];
          return one ? [{ label, ...one, share: one.outside / one.cells }] : [];
        });
        if (measured.length === 0) return `${measure.title}: no cell has a value.`;
        const phrases = measured
          .toSorted((a, b) => b.share - a.share || b.cells - a.cells)
          .slice(0, named)
          .map((one) => {
            const bounds =
              one.bounds === null
                ? 'no bounds, as most cells have one value'
                : `bounds ${value(one.bounds[0])} to ${value(one.bounds[1])}, ${whole(one.outside)} of ${cells(one.cells)} beyond (${percent(one.outside, one.cells)})`;
            return `${one.label} (median ${value(one.quartiles[1])}, ${bounds})`;
          });
        const orderNote = measured.length > 1 ? ', most cells beyond its bounds first' : '';
        return `${measure.title}${measure.log ? ', on a scale of log(1 + x)' : ''}${orderNote}: ${listed(phrases)}.`;
      }),
      cautions: [
        ...(few.length > 0
          ? [
              `With fewer than ${fewCells} cells the deviation is itself uncertain: ${listedSome(few.slice(0, named), few.length)}.`,
            ]
          : []),
        ...smallerLeftOut(groupCount - groups.length),
      ],
      general: [
        `Bounds are the median ± ${value(deviations)} median absolute deviations of each group: a first look only. Large, active or stressed cells can be beyond them and still be good.`,
      ],
    };
  },
  firstRows: firstGroups,
  between: '\n',
});
