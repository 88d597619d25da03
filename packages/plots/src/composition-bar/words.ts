import { z } from 'zod';
import {
  cells,
  common,
  count,
  group,
  list,
  listed,
  named,
  percent,
  plotWords,
  smallGroups,
  text,
  whole,
} from '../plot-words.ts';

export const compositionBarWords = plotWords({
  kind: 'composition-bar',
  numbers: z
    .object({
      kind: z.literal('composition-bar'),
      ...common,
      groupTitle: text,
      partTitle: text,
      parts: list(group),
      groups: list(group.extend({ counts: z.array(count).max(1000) })),
      groupCount: count,
    })
    .refine(({ groups, parts }) => groups.every(({ counts }) => counts.length === parts.length)),
  sentences: ({ groups, parts, groupCount, groupTitle, partTitle }) => {
    const [most] = [...parts.keys()].sort((a, b) => parts[b]!.cells - parts[a]!.cells);
    const shares = groups
      .map(({ label, cells: all, counts }) => ({ label, all, part: most === undefined ? 0 : counts[most]! }))
      .sort((a, b) => b.part / b.all - a.part / a.all);
    const [top, last] = [shares[0], shares.at(-1)];
    const hidden = groupCount - groups.length;
    return {
      findings:
        most === undefined || !top || !last
          ? ['No cell has both a group and a part.']
          : [
              `${whole(groups.length)} groups by ${groupTitle}. Of ${partTitle}, ${parts[most]!.label} is the largest part, with ${cells(parts[most]!.cells)}.`,
              `Its share goes from ${percent(last.part, last.all)} in ${last.label} to ${percent(top.part, top.all)} in ${top.label}.`,
              `By cells: ${listed(
                groups
                  .toSorted((a, b) => b.cells - a.cells)
                  .slice(0, named)
                  .map(({ label, cells: all }) => `${label} (${whole(all)})`),
              )}.`,
            ],
      cautions: [
        ...(hidden > 0 ? [`${whole(hidden)} smaller groups are not in the figure.`] : []),
        ...smallGroups(groups),
        'Shares of one group add up to 100 %: where one part grows the others shrink. Counts describe these cells; no difference was tested.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({
    ...numbers,
    groups: numbers.groups.slice(0, rows),
    groupsInAll: numbers.groups.length,
  }),
});
