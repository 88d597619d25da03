import { screenLimits } from '@cellfolio/analyses';
import { plural } from '@cellfolio/model';
import { type KindWords, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Controls against controls',
  sentences: ({ by, changed, inflation }) => ({
    reading: [
      `The dots show quantiles of the p-values of ${plural(changed.length, 'part')} of the controls, ${by === 'guides' ? 'by guide' : 'at random'}, against the other controls; on the line they are as by chance.`,
      `The inflation is ${value(inflation)}, and a part has ${whole(Math.max(0, ...changed))} changed genes at most.`,
    ],
    more: [],
    cautions:
      inflation > screenLimits.inflation
        ? [
            'P-values of controls are too small, and so are those of perturbations: compare with the changed genes of the controls.',
          ]
        : [],
  }),
};
