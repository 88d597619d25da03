import { z } from 'zod';
import {
  common,
  count,
  group,
  inUnit,
  named,
  number,
  smallGroups,
  text,
  type Sentences,
  cells,
  listed,
  percent,
  value,
  whole,
} from '../../plot-words.ts';

export const violinGroup = group.extend({
  mean: number,
  quartiles: z.tuple([number, number, number]).nullable(),
  range: z.tuple([number, number]).nullable(),
});
export const violinNumbers = { ...common, unit: text, groupTitle: text, groupCount: count };

type Group = z.output<typeof violinGroup> & { readonly expressing?: number | undefined };

/** What violins show; `notScored` of a score alone, `expressing` of a gene. */
export function violinSentences({
  groups,
  unit,
  groupCount,
  notScored = 0,
}: {
  readonly groups: readonly Group[];
  readonly unit: string;
  readonly groupCount: number;
  readonly notScored?: number;
}): Sentences {
  const ranked = groups
    .filter(({ mean }) => mean !== null)
    .toSorted((a, b) => b.mean! - a.mean! || b.cells - a.cells);
  const [top, second] = ranked;
  const last = ranked.at(-1);
  const expressing = (of: Group) =>
    of.expressing === undefined
      ? `, ${cells(of.cells)}`
      : `, ${percent(of.expressing, of.cells)} of ${cells(of.cells)} express it`;
  const said = (of: Group) =>
    `${of.label} (mean ${value(of.mean)}, median ${value(of.quartiles?.[1] ?? null)}${expressing(of)})`;
  const hidden = groupCount - groups.length;
  return {
    findings:
      !top || !last
        ? ['No group has values.']
        : [
            `By mean${inUnit(unit)}, highest first: ${listed(ranked.slice(0, named).map(said))}.`,
            ...(ranked.length > named ? [`Lowest is ${said(last)}.`] : []),
            // Both means are on one scale, that of a logarithm or of a score: they are subtracted, not divided.
            ...(second
              ? [
                  `The mean in ${top.label} is ${value(top.mean! - second.mean!)} above that of the next group.`,
                ]
              : []),
          ],
    cautions: [
      ...(hidden > 0
        ? [`${whole(hidden)} smaller ${hidden === 1 ? 'group is' : 'groups are'} not in the figure.`]
        : []),
      ...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []),
      ...smallGroups(groups),
      'These are descriptions of the cells, not tests: Marker Analysis tests differences between groups.',
    ],
  };
}
