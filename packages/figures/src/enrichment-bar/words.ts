import { plural, pluralWord } from '@cellfolio/model';
import { type KindWords, listed, named, pValue, sentP, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Bar plot',
  sentences: ({ terms, termCount, significant, threshold, subtitle }) => {
    const phrases = terms
      .slice(0, named)
      .map(
        ({ term, adjustedP, overlap, combinedScore }) =>
          `${term} (adjusted p ${pValue(adjustedP)}, overlap ${overlap}, combined score ${value(combinedScore)})`,
      );
    return {
      reading: [
        `The bars show −log10 of the adjusted p of the best ${plural(terms.length, 'term')}${subtitle ? ` (${subtitle.replaceAll(' · ', ', ')})` : ''}.`,
        phrases.length === 0
          ? 'No term of the library shares a gene with the list.'
          : `${whole(significant)} of ${plural(termCount, 'term')} ${pluralWord(significant, 'has', 'have')} an adjusted p of at most ${value(threshold)}; the best is ${phrases[0]!}.`,
      ],
      more: phrases.length > 1 ? [`Best first: ${listed(phrases)}.`] : [],
      cautions:
        termCount > 0 && significant === 0
          ? ['No term passes the threshold; their order may be random.']
          : [],
      general: ['Terms that share genes are not independent findings.'],
    };
  },
  firstRows: (numbers, rows) => ({
    ...numbers,
    terms: numbers.terms.slice(0, rows).map(({ term, adjustedP, overlap, combinedScore }) => ({
      term,
      adjustedP: sentP(adjustedP),
      overlap,
      combinedScore,
    })),
  }),
};
