import { columnTitle } from '@cellfolio/model/names';
import { plural } from '@cellfolio/model';
import { type KindWords, pValue, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

/** Fewer samples per side say little about the variation between samples. */
const fewSamples = 3;

export const words: KindWords<Numbers> = {
  name: 'Dots by sample',
  sentences: ({ gene, sides, samples, means, pairs, logFoldChange, adjustedP }) => {
    const count = (side: 'a' | 'b'): number => samples.filter((sample) => sample.side === side).length;
    const higher = (pairs?.places ?? []).filter(([a, b]) => samples[a]!.value > samples[b]!.value).length;
    const small = (['a', 'b'] as const).filter((side) => count(side) < fewSamples);
    return {
      reading: [
        `Each dot is a sample: the mean of ${gene} is ${value(means.a)} log2 counts per million in ${plural(count('a'), 'sample')} of ${sides.a} and ${value(means.b)} in ${whole(count('b'))} of ${sides.b}.`,
        logFoldChange === null
          ? 'It has too few counts to be tested.'
          : `The model gives a log2 fold change of ${value(logFoldChange)} with an adjusted p of ${pValue(adjustedP)}${pairs && pairs.places.length > 0 ? `; it is higher in ${sides.a} in ${whole(higher)} of ${whole(pairs.places.length)} pairs by ${columnTitle(pairs.title)}` : ''}.`,
      ],
      cautions: small.map(
        (side) => `${plural(count(side), 'sample')} of ${sides[side]} cannot show how samples vary.`,
      ),
    };
  },
};
