import { z } from 'zod';
import {
  common,
  count,
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
      findings: [
        `Of ${whole(groupCount)} categories of ${groupTitle}, ${whole(differing)} ${differing === 1 ? 'has a share that differs' : 'have shares that differ'} between ${sides.a} and ${sides.b} in ${whole(samples.length)} samples, with an adjusted p below ${value(threshold)}.`,
        ...(said.length > 0 ? [`By p-value: ${listed(said)}.`] : []),
      ],
      cautions: [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, groups: numbers.groups.slice(0, rows) }),
});
