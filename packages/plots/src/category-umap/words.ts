import { z } from 'zod';
import {
  axes,
  bySize,
  cells,
  common,
  count,
  counted,
  counts,
  firstGroups,
  group,
  groupName,
  hidden,
  hiddenCells,
  hiddenWords,
  largest,
  list,
  mapCautions,
  mapName,
  percent,
  plotWords,
  smallGroups,
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
    const drawn = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    const inAll = present.length + (rest?.groups ?? 0);
    const said = ({ label, cells: own }: (typeof present)[number]) =>
      `${groupName(label)} (${cells(own)}, ${percent(own, drawn)})`;
    const [first, last] = [present[0], present.at(-1)];
    return {
      reading: [
        `The ${mapName(of)} shows ${cells(drawn)}, coloured by ${title}: ${counted(inAll, 'group')}${missing > 0 ? `, and ${cells(missing)} (${percent(missing, drawn)}) in none` : ''}.`,
        first === undefined || last === undefined
          ? 'None of these cells is in a group.'
          : inAll === 1
            ? `The only group is ${said(first)}.`
            : `The largest group is ${said(first)}${rest === undefined ? `, the smallest ${said(last)}` : ''}.`,
      ],
      more: present.length > 2 ? largest(present, drawn) : [],
      cautions: [
        ...(rest === undefined
          ? []
          : [`${counted(rest.groups, 'smaller group')} with ${cells(rest.cells)} share one colour.`]),
        ...hiddenWords(left),
        ...mapCautions(shown),
        ...smallGroups(present),
      ],
    };
  },
  firstRows: firstGroups,
});
