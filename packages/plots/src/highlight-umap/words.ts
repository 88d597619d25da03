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

export const highlightUmapWords = plotWords({
  kind: 'highlight-umap',
  numbers: z.object({
    kind: z.literal('highlight-umap'),
    ...common,
    counts,
    groups: list(group),
    others: count,
    hidden,
  }),
  sentences: ({ counts: shown, groups, others, hidden: left }) => {
    const drawn = shown.cells - hiddenCells(left);
    const present = bySize(groups);
    const chosen = drawn - others;
    return {
      findings: [
        `${whole(chosen)} of ${cells(drawn)} (${percent(chosen, drawn)}) are highlighted.`,
        ...(present.length > 1 ? largest(present, drawn) : []),
      ],
      cautions: smallGroups(present),
    };
  },
  firstRows: firstGroups,
});
