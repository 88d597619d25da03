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

export const highlightUmapWords = plotWords({
  kind: 'highlight-umap',
  numbers: z.object({
    kind: z.literal('highlight-umap'),
    ...common,
    counts,
    groups: list(group),
    others: count,
  }),
  sentences: ({ counts: shown, groups, others }) => {
    const present = bySize(groups);
    const chosen = shown.cells - others;
    return {
      findings: [
        `${whole(chosen)} of ${cells(shown.cells)} (${percent(chosen, shown.cells)}) are highlighted.`,
        ...(present.length > 1 ? largest(present, shown.cells) : []),
      ],
      cautions: smallGroups(present),
    };
  },
  firstRows: firstGroups,
});
