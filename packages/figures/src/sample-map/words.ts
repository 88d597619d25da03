import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import { common, list, listed, percent, plotWords, text } from '../plot-words.ts';

const share = z.number().min(0).max(1.000001).nullable().catch(null);

export const sampleMapWords = plotWords({
  kind: 'sample-map',
  name: 'Map of samples',
  numbers: z.object({
    kind: z.literal('sample-map'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    /** Share of the variance in the first and second dimension, from 0 to 1. */
    axes: z.tuple([z.number(), z.number()]),
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']), x: z.number(), y: z.number() })),
    /** Share of each dimension explained by the sides and by each covariate; null if meaningless. */
    explained: list(z.object({ column: text, isSide: z.boolean(), first: share, second: share })),
  }),
  sentences: ({ axes, samples, explained }) => {
    const side = explained.find(({ isSide }) => isSide);
    const estimated = explained.filter(({ first }) => first !== null);
    const stronger = explained.filter(
      ({ isSide, first }) => !isSide && first !== null && first > (side?.first ?? Infinity),
    );
    const phrases = estimated.map(({ column, isSide, first }, at) => {
      const verb = at > 0 ? '' : isSide ? ' account' : ' accounts';
      return `${isSide ? 'the sides' : columnTitle(column)}${verb} for ${percent(first!, 1)}`;
    });
    return {
      reading: [
        `Each point is one of ${plural(samples.length, 'sample')}, placed by log2 fold changes between samples: the first dimension has ${percent(axes[0], 1)} of their variance, the second ${percent(axes[1], 1)}.`,
        phrases.length > 0
          ? `Fitted one at a time, ${listed(phrases)} of the first.`
          : 'There are too few samples to explain the first.',
      ],
      cautions:
        stronger.length === 0
          ? []
          : [
              `${listed(stronger.map(({ column }) => columnTitle(column)))} ${pluralWord(stronger.length, 'accounts', 'account')} for more of the first dimension than the sides: a difference could be due to ${pluralWord(stronger.length, 'it', 'them')} unless the model includes ${pluralWord(stronger.length, 'it', 'them')}.`,
            ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, samples: numbers.samples.slice(0, rows) }),
});
