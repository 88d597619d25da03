import { plural, pluralWord } from '@cellfolio/model';
import {
  cells,
  comparable,
  fewCells,
  firstGroups,
  groupName,
  type KindWords,
  listed,
  named,
  percent,
  smallerLeftOut,
  smallGroups,
  whole,
} from '../plot-words.ts';
import type { Numbers } from './draw.ts';

function wholeShare({ part, all }: { part: number; all: number }): string {
  return part === all ? '100 %' : percent(part, all);
}

export const words: KindWords<Numbers> = {
  name: 'Composition',
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
  firstRows: firstGroups,
};
