import { z } from 'zod';
import {
  sampleMeans,
  samplesShown,
  violinGroup,
  violinNumbers,
  violinSentences,
} from '../drawing/distributions/violin-words.ts';
import { rowsByGroup } from '../drawing/distributions/violin-groups.ts';
import { count, firstGroups, list, plotWords, text } from '../plot-words.ts';

const row = violinGroup.extend({
  expressing: count.optional(),
  part: text.optional(),
  samples: sampleMeans.optional(),
});

function groupedViolinWords<Kind extends string>(kind: Kind, name: string, shapes: string) {
  return plotWords({
    kind,
    name,
    numbers: z.object({
      kind: z.literal(kind),
      ...violinNumbers,
      split: z.object({ title: text }).optional(),
      samples: samplesShown.optional(),
      groups: list(row),
    }),
    sentences: ({ groups, groupCount, split, groupTitle, ...rest }) => {
      const named = groups
        .filter(({ cells }) => cells > 0)
        .map(({ label, part, ...group }) =>
          Object.assign(group, { label: part === undefined ? label : `${label}, ${part}` }),
        );
      // Rows of a split group are one group.
      const hidden = Math.max(0, groupCount - rowsByGroup(groups).length);
      return violinSentences({
        ...rest,
        shapes,
        groupTitle: split === undefined ? groupTitle : `${groupTitle} and ${split.title}`,
        groups: named,
        groupCount: named.length + hidden,
      });
    },
    firstRows: firstGroups,
  });
}

export const violinWords = groupedViolinWords('violin', 'Violin plot', 'violins');

export const ridgeWords = groupedViolinWords('ridge', 'Ridge plot', 'ridges');

export const geneViolinWords = plotWords({
  kind: 'gene-violin',
  name: 'Violin plot',
  numbers: z.object({
    kind: z.literal('gene-violin'),
    ...violinNumbers,
    groups: list(violinGroup.extend({ expressing: count })),
  }),
  sentences: violinSentences,
  firstRows: firstGroups,
});

export const scoreViolinWords = plotWords({
  kind: 'score-violin',
  name: 'Violin plot',
  numbers: z.object({
    kind: z.literal('score-violin'),
    ...violinNumbers,
    groups: list(violinGroup),
    notScored: count,
  }),
  sentences: violinSentences,
  firstRows: firstGroups,
});
