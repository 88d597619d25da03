import { z } from 'zod';
import {
  bySize,
  common,
  count,
  counts,
  firstGroups,
  group,
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
  }),
  sentences: ({ counts: shown, groups, missing }) => {
    const present = bySize(groups);
    return {
      findings: [
        `${cells(shown.cells)} in ${whole(present.length)} ${present.length === 1 ? 'group' : 'groups'}.`,
        ...largest(present, shown.cells),
        ...(missing > 0 ? [`${cells(missing)} (${percent(missing, shown.cells)}) are in no group.`] : []),
      ],
      cautions: smallGroups(present),
    };
  },
  firstRows: firstGroups,
});
