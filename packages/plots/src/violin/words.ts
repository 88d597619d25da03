import { z } from 'zod';
import {
  sampleMeans,
  samplesShown,
  violinGroup,
  violinNumbers,
  violinSentences,
} from '../drawing/violin/violin-words.ts';
import { count, firstGroups, list, plotWords, text } from '../plot-words.ts';

const row = violinGroup.extend({
  expressing: count.optional(),
  part: text.optional(),
  samples: sampleMeans.optional(),
});

/** The words of distributions by group. */
export function groupedViolinWords<Kind extends string>(kind: Kind) {
  return plotWords({
    kind,
    numbers: z.object({
      kind: z.literal(kind),
      ...violinNumbers,
      split: z.object({ title: text, rows: count }).optional(),
      samples: samplesShown.optional(),
      groups: list(row),
    }),
    sentences: ({ groups, groupCount, split, ...rest }) => {
      const rows = split?.rows ?? 1;
      const named = groups
        .filter(({ cells }) => cells > 0)
        .map(({ label, part, ...group }) =>
          Object.assign(group, { label: part === undefined ? label : `${label}, ${part}` }),
        );
      const drawn = groups.length / Math.max(1, rows);
      return violinSentences({
        ...rest,
        groups: named,
        // Rows of a split group are one group.
        groupCount: named.length + Math.max(0, groupCount - drawn),
      });
    },
    firstRows: firstGroups,
  });
}

export const violinWords = groupedViolinWords('violin');
