import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  cells,
  common,
  comparable,
  count,
  fewCells,
  group,
  groupName,
  list,
  listed,
  named,
  percent,
  plotWords,
  pValue,
  smallerLeftOut,
  smallGroups,
  text,
  value,
  whole,
} from '../plot-words.ts';

function wholeShare({ part, all }: { part: number; all: number }): string {
  return part === all ? '100 %' : percent(part, all);
}

export const compositionBarWords = plotWords({
  kind: 'composition-bar',
  name: 'Composition',
  numbers: z
    .object({
      kind: z.literal('composition-bar'),
      ...common,
      show: z.enum(['share', 'count']).optional().catch(undefined),
      groupTitle: text,
      partTitle: text,
      parts: list(group),
      groups: list(group.extend({ counts: z.array(count).max(1000) })),
      groupCount: count,
    })
    .refine(({ groups, parts }) => groups.every(({ counts }) => counts.length === parts.length)),
  sentences: ({ groups, parts, groupCount, groupTitle, partTitle, show = 'share' }) => {
    const [largestPart] = [...parts.keys()].sort((a, b) => parts[b]!.cells - parts[a]!.cells);
    const shares = groups
      .map(({ label, cells: all, counts }) => ({
        label,
        all,
        part: largestPart === undefined ? 0 : counts[largestPart]!,
      }))
      .sort((a, b) => b.part / b.all - a.part / a.all);
    const { sure, the } = comparable(shares.map((one) => Object.assign(one, { cells: one.all })));
    const [top, last] = [sure[0], sure.at(-1)];
    const all = groups.reduce((sum, one) => sum + one.cells, 0);
    return {
      reading: [
        `${pluralWord(groups.length, 'The bar shows', 'The bars show')} ${cells(all)} in ${plural(groups.length, 'group')} by ${groupTitle}, divided by ${partTitle} and drawn as ${show === 'share' ? 'shares of each group' : 'counts'}.`,
        largestPart === undefined || !top || !last
          ? 'No cell has both a group and a part.'
          : groups.length === 1
            ? `The largest part is ${groupName(parts[largestPart]!.label)}, with ${percent(top.part, top.all)} of ${cells(top.all)} in ${groupName(top.label)}.`
            : percent(last.part, last.all) === percent(top.part, top.all)
              ? `The largest part, ${groupName(parts[largestPart]!.label)} (${cells(parts[largestPart]!.cells)} in all), has ${wholeShare(top)} in each${sure.length < groups.length ? ` group of at least ${fewCells} cells` : ''}.`
              : `${the} share of the largest part, ${groupName(parts[largestPart]!.label)} (${cells(parts[largestPart]!.cells)} in all), goes from ${percent(last.part, last.all)} in ${groupName(last.label)} to ${percent(top.part, top.all)} in ${groupName(top.label)}.`,
      ],
      more:
        groups.length < 2
          ? []
          : [
              `By cells: ${listed(
                groups
                  .toSorted((a, b) => b.cells - a.cells)
                  .slice(0, named)
                  .map(({ label, cells: own }) => `${label} (${whole(own)})`),
              )}.`,
            ],
      cautions: [...smallerLeftOut(groupCount - groups.length), ...smallGroups(groups)],
      general: [
        'Shares of one group add up to 100 %: if one part grows, the others shrink. Counts describe these cells; no difference was tested.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({
    ...numbers,
    groups: numbers.groups.slice(0, rows),
    groupsInAll: numbers.groups.length,
  }),
});

const share = z.number().min(0).max(1);

export const compositionDotsWords = plotWords({
  kind: 'composition-dots',
  name: 'Composition by sample',
  numbers: z.object({
    kind: z.literal('composition-dots'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    groupTitle: text,
    transform: z.enum(['logit', 'asin']),
    threshold: z.number(),
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']) })),
    groups: list(
      z.object({
        label: text,
        means: z.object({ a: share, b: share }),
        effect: z.number(),
        adjustedP: z.number(),
      }),
    ),
    groupCount: count,
    differing: count,
  }),
  sentences: ({ sides, groups, groupTitle, groupCount, differing, threshold, transform, samples }) => {
    const scale = transform === 'logit' ? 'log odds' : 'arcsine roots';
    const phrases = groups
      .slice(0, named)
      .map(
        ({ label, means, effect, adjustedP }) =>
          `${label} (${percent(means.a, 1)} against ${percent(means.b, 1)}, ${scale} ${value(effect)}, adjusted p ${pValue(adjustedP)})`,
      );
    return {
      reading: [
        `The dots show the shares of ${plural(groupCount, 'category', 'categories')} of ${groupTitle} in ${plural(samples.length, 'sample')}, of ${sides.a} and of ${sides.b}.`,
        `${plural(differing, 'has a share that differs', 'have shares that differ')} between the sides with an adjusted p below ${value(threshold)}${phrases.length > 0 ? `; the smallest p is that of ${phrases[0]!}` : ''}.`,
      ],
      more: phrases.length > 1 ? [`By p-value: ${listed(phrases)}.`] : [],
      cautions:
        groups.length < groupCount
          ? [`The figure shows the ${whole(groups.length)} categories with the smallest p-values.`]
          : [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, groups: numbers.groups.slice(0, rows) }),
});
