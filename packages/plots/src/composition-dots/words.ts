import { z } from 'zod';
import {
  common,
  count,
  counted,
  list,
  listed,
  named,
  percent,
  plotWords,
  pValue,
  text,
  value,
  whole,
} from '../plot-words.ts';

const share = z.number().min(0).max(1);

export const compositionDotsWords = plotWords({
  kind: 'composition-dots',
  name: 'Composition by sample',
  numbers: z.object({
    kind: z.literal('composition-dots'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    groupTitle: text,
    transform: z.enum(['logit', 'asin']),
    threshold: z.number(),
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']) })),
    groups: list(
      z.object({
        label: text,
        means: z.object({ a: share, b: share }),
        effect: z.number(),
        adjustedP: z.number(),
      }),
    ),
    groupCount: count,
    differing: count,
  }),
  sentences: ({ sides, groups, groupTitle, groupCount, differing, threshold, transform, samples }) => {
    const scale = transform === 'logit' ? 'log odds' : 'arcsine roots';
    const said = groups
      .slice(0, named)
      .map(
        ({ label, means, effect, adjustedP }) =>
          `${label} (${percent(means.a, 1)} against ${percent(means.b, 1)}, ${scale} ${value(effect)}, adjusted p ${pValue(adjustedP)})`,
      );
    return {
      reading: [
        `The dots show the shares of ${counted(groupCount, 'category', 'categories')} of ${groupTitle} in ${counted(samples.length, 'sample')}, of ${sides.a} and of ${sides.b}.`,
        `${differing === 1 ? '1 has a share that differs' : `${whole(differing)} have shares that differ`} between the sides with an adjusted p below ${value(threshold)}${said.length > 0 ? `; the smallest p is that of ${said[0]!}` : ''}.`,
      ],
      more: said.length > 1 ? [`By p-value: ${listed(said)}.`] : [],
      cautions:
        groups.length < groupCount
          ? [`The figure has the ${whole(groups.length)} categories of the smallest p-values.`]
          : [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, groups: numbers.groups.slice(0, rows) }),
});
