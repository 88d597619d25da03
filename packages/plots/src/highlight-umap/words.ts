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
  listed,
  mapCautions,
  mapName,
  named,
  percent,
  plotWords,
  smallGroups,
  whole,
} from '../plot-words.ts';

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
    const drawn = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    const chosen = drawn - others;
    return {
      reading: [
        `The ${mapName(of)} shows ${cells(drawn)} with ${counted(groups.length + (rest?.groups ?? 0), 'group')} in colour over the others.`,
        present.length === 0
          ? 'No cell is in a group that is highlighted.'
          : `${whole(chosen)} of them (${percent(chosen, drawn)}) ${chosen === 1 ? 'is' : 'are'} highlighted: ${listed(
              present
                .slice(0, named)
                .map(({ label, cells: own }) => `${groupName(label)} (${cells(own)})`)
                .concat(present.length > named ? [`${whole(present.length - named)} more`] : []),
            )}.`,
      ],
      more: present.length > 1 ? largest(present, drawn) : [],
      cautions: [...hiddenWords(left), ...mapCautions(shown), ...smallGroups(present)],
    };
  },
  firstRows: firstGroups,
});
