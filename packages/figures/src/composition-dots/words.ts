import { plural } from '@cellfolio/model';
import { type KindWords, listed, named, percent, pValue, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Composition by sample',
  sentences: ({ sides, groups, groupTitle, groupCount, differing, threshold, transform, samples }) => {
    const scale = transform === 'logit' ? 'log odds' : 'arcsine roots';
    const phrases = groups
      .slice(0, named)
      .map(
        ({ label, means, effect, adjustedP }) =>
          `${label} (${percent(means.a, 1)} against ${percent(means.b, 1)}, ${scale} ${value(effect)}, adjusted p ${pValue(adjustedP)})`,
      );
    return {
      reading: [
        `The dots show the shares of ${plural(groupCount, 'category', 'categories')} of ${groupTitle} in ${plural(samples.length, 'sample')}, of ${sides.a} and of ${sides.b}.`,
        `${plural(differing, 'has a share that differs', 'have shares that differ')} between the sides with an adjusted p below ${value(threshold)}${phrases.length > 0 ? `; the smallest p is that of ${phrases[0]!}` : ''}.`,
      ],
      more: phrases.length > 1 ? [`By p-value: ${listed(phrases)}.`] : [],
      cautions:
        groups.length < groupCount
          ? [`The figure shows the ${whole(groups.length)} categories with the smallest p-values.`]
          : [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, groups: numbers.groups.slice(0, rows) }),
};
