import { z } from 'zod';
import {
  bySize,
  common,
  count,
  counts,
  firstGroups,
  group,
  hidden,
  hiddenCells,
  largest,
  list,
  plotWords,
  smallGroups,
  cells,
  percent,
  whole,
} from '../plot-words.ts';

export const categoryUmapWords = plotWords({
  kind: 'category-umap',
  numbers: z.object({
    kind: z.literal('category-umap'),
    ...common,
    counts,
    groups: list(group),
    missing: count,
    hidden,
  }),
  sentences: ({ counts: shown, groups, missing, hidden: left }) => {
    const drawn = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    return {
      findings: [
        `${cells(drawn)} in ${whole(present.length)} ${present.length === 1 ? 'group' : 'groups'}.`,
        ...largest(present, drawn),
        ...(missing > 0 ? [`${cells(missing)} (${percent(missing, drawn)}) are in no group.`] : []),
      ],
      cautions: smallGroups(present),
    };
  },
  firstRows: firstGroups,
});
