import { plural, pluralWord } from '@cellfolio/model';
import { type KindWords, percent, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';
import { type HistogramShape, unchangedShare } from './shape.ts';

const readings: Readonly<Record<HistogramShape, string>> = {
  none: 'No gene has a p-value.',
  flat: 'The histogram is flat, as if no gene differs or the samples are too few.',
  'peak-at-0': 'The histogram has a peak only at 0, as if the model fits and some genes differ.',
  'peak-at-1': 'The histogram has a peak at 1.',
  'u-shape': 'The histogram has a peak at 0 and another at 1.',
  'few-small': 'The histogram has fewer small p-values than chance would give.',
  uneven: 'The histogram has a peak between 0 and 1.',
};

const warnings: { readonly [Shape in HistogramShape]?: string } = {
  'peak-at-1':
    'A peak at 1 means that the test does not fit: check genes with very few counts, and samples that were swapped.',
  'u-shape':
    'A second peak at 1 means that the test does not fit: check genes with very few counts, and add missing covariates.',
  'few-small':
    'The samples vary more than the model accounts for: a batch or another covariate may be missing, and differences may be missed.',
  uneven: 'Dependent samples or a missing covariate give such a peak: interpret single p-values with care.',
};

export const words: KindWords<Numbers> = {
  name: 'Histogram of p-values',
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
            )}: ${whole(counts[0]!)} ${pluralWord(counts[0]!, 'has', 'have')} a p-value below ${1 / counts.length}; ${whole(expected)} would if none differed.`,
        readings[shape],
      ],
      more:
        shape === 'peak-at-0' && differing > 0
          ? [`About ${percent(differing, 1)} of the genes differ, by Storey’s estimate.`]
          : [],
      cautions: warning === undefined ? [] : [warning],
    };
  },
};
