import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  axes,
  bySize,
  cells,
  common,
  count,
  counts,
  firstGroups,
  group,
  groupName,
  hidden,
  hiddenCells,
  hiddenWords,
  largest,
  list,
  listed,
  mapCautions,
  mapName,
  named,
  percent,
  plotWords,
  smallGroups,
  whole,
} from '../plot-words.ts';

export const categoryUmapWords = plotWords({
  kind: 'category-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('category-umap'),
    ...common,
    counts,
    axes,
    groups: list(group),
    rest: z.object({ groups: count, cells: count }).optional().catch(undefined),
    missing: count,
    hidden,
  }),
  sentences: ({ title, axes: of, counts: shown, groups, rest, missing, hidden: left }) => {
    const shownCells = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    const inAll = present.length + (rest?.groups ?? 0);
    const groupPhrase = ({ label, cells: own }: (typeof present)[number]) =>
      `${groupName(label)} (${cells(own)}, ${percent(own, shownCells)})`;
    const [first, last] = [present[0], present.at(-1)];
    const extreme = (one: (typeof present)[number]): string => {
      const tied = present.filter(({ cells: size }) => size === one.cells).length;
      return tied === 1
        ? `is ${groupPhrase(one)}`
        : `are ${plural(tied, 'group')} of ${cells(one.cells)} each`;
    };
    return {
      reading: [
        `The ${mapName(of)} shows ${cells(shownCells)}, colored by ${title}: ${plural(inAll, 'group')}${missing > 0 ? `, and ${cells(missing)} (${percent(missing, shownCells)}) in none` : ''}.`,
        first === undefined || last === undefined
          ? 'None of these cells is in a group.'
          : inAll === 1
            ? `The only group is ${groupPhrase(first)}.`
            : last.cells === first.cells && rest === undefined
              ? `All groups have ${cells(first.cells)} (${percent(first.cells, shownCells)}).`
              : `The largest ${extreme(first)}${rest === undefined ? `, the smallest ${extreme(last)}` : ''}.`,
      ],
      more: present.length > 2 ? largest(present, shownCells) : [],
      cautions: [
        ...(rest === undefined
          ? []
          : [`${plural(rest.groups, 'smaller group')} with ${cells(rest.cells)} share one color.`]),
        ...hiddenWords(left),
        ...mapCautions(shown),
        ...smallGroups(present),
      ],
    };
  },
  firstRows: firstGroups,
});

export const highlightUmapWords = plotWords({
  kind: 'highlight-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('highlight-umap'),
    ...common,
    counts,
    axes,
    groups: list(group),
    rest: z.object({ groups: count, cells: count }).optional().catch(undefined),
    others: count,
    hidden,
  }),
  sentences: ({ axes: of, counts: shown, groups, rest, others, hidden: left }) => {
    const shownCells = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    const chosen = shownCells - others;
    return {
      reading: [
        `The ${mapName(of)} shows ${cells(shownCells)} with ${plural(groups.length + (rest?.groups ?? 0), 'group')} in color over the others.`,
        present.length === 0
          ? 'No cell is in a group that is highlighted.'
          : `${whole(chosen)} of them (${percent(chosen, shownCells)}) ${pluralWord(chosen, 'is', 'are')} highlighted: ${listed(
              present
                .slice(0, named)
                .map(({ label, cells: own }) => `${groupName(label)} (${cells(own)})`)
                .concat(present.length > named ? [`${whole(present.length - named)} more`] : []),
            )}.`,
      ],
      more: present.length > 1 ? largest(present, shownCells) : [],
      cautions: [...hiddenWords(left), ...mapCautions(shown), ...smallGroups(present)],
    };
  },
  firstRows: firstGroups,
});
