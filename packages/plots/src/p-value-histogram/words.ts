import { plural, pluralWord } from '@cellfolio/model';
import { z } from 'zod';
import { common, count, percent, plotWords, text, whole } from '../plot-words.ts';
import { type HistogramShape, histogramShapes, unchangedShare } from './shape.ts';

const readings: Readonly<Record<HistogramShape, string>> = {
  none: 'No gene has a p-value.',
  flat: 'The histogram is flat, as it is where no gene differs or the samples are too few to show it.',
  'peak-at-0':
    'The histogram has a peak at 0 and none elsewhere, as it has where the model fits and some genes differ.',
  'peak-at-1': 'The histogram has a peak at 1.',
  'u-shape': 'The histogram has a peak at 0 and another at 1.',
  'few-small': 'The histogram has fewer small p-values than chance would give.',
  uneven: 'The histogram has a peak between 0 and 1.',
};

const warnings: { readonly [Shape in HistogramShape]?: string } = {
  'peak-at-1':
    'A peak at 1 does not come from a test that fits: look for genes of very few counts and for samples that are mixed up.',
  'u-shape':
    'A peak at 1 beside that at 0 does not come from a test that fits: look for genes of very few counts, and for a covariate that is not in the model.',
  'few-small':
    'The samples vary more than the model knows: a batch or another covariate may be missing from it, and differences may be overlooked.',
  uneven:
    'Samples that are not independent, or a covariate that is not in the model, give such a peak: read single p-values with care.',
};

export const pValueHistogramWords = plotWords({
  kind: 'p-value-histogram',
  name: 'Histogram of p-values',
  numbers: z.object({
    kind: z.literal('p-value-histogram'),
    ...common,
    subtitle: text,
    tested: count,
    counts: z.array(count).min(4).max(1000),
    expected: z.number().nonnegative(),
    shape: z.enum(histogramShapes),
  }),
  sentences: ({ counts, expected, shape }) => {
    const differing = 1 - unchangedShare(counts);
    const warning = warnings[shape];
    return {
      reading: [
        shape === 'none'
          ? 'The histogram has 0 genes.'
          : `The histogram has ${plural(
              counts.reduce((sum, one) => sum + one, 0),
              'gene',
            )}, of which ${whole(counts[0]!)} ${pluralWord(counts[0], 'has', 'have')} a p-value below ${1 / counts.length}, where ${whole(expected)} would if none differed.`,
        readings[shape],
      ],
      more:
        shape === 'peak-at-0' && differing > 0
          ? [`About ${percent(differing, 1)} of the genes differ, by Storey’s estimate.`]
          : [],
      cautions: warning === undefined ? [] : [warning],
    };
  },
});
