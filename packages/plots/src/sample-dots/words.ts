import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { plural } from '@cellfolio/model';
import { common, list, number, plotWords, pValue, text, value, whole } from '../plot-words.ts';

/** Fewer samples per side say little about the variation between samples. */
const fewSamples = 3;

export const sampleDotsWords = plotWords({
  kind: 'sample-dots',
  name: 'Dots by sample',
  numbers: z
    .object({
      kind: z.literal('sample-dots'),
      ...common,
      subtitle: text,
      sides: z.object({ a: text, b: text }),
      gene: text,
      /** Null if the gene was not tested, as its adjusted p. */
      logFoldChange: number,
      adjustedP: number,
      /** `value` is log2 of the counts per million. */
      samples: list(z.object({ label: text, side: z.enum(['a', 'b']), value: z.number() })),
      /** Null for a side without samples. */
      means: z.object({ a: number, b: number }),
      /** Title of the pairing, and the paired indices into `samples`, that of A first. */
      pairs: z.object({ title: text, places: list(z.tuple([z.int(), z.int()])) }).optional(),
    })
    .refine(({ samples, pairs }) =>
      (pairs?.places ?? []).every((pair) => pair.every((place) => samples[place])),
    ),
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
});
