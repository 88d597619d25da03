import { plural } from '@cellfolio/model';
import { type KindWords, listed, named, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Effects of perturbations',
  sentences: ({ perturbations, byChance, changing, differing, measure }) => {
    const phrases = perturbations
      .slice(0, named)
      .map(({ label, changed, value: own }) =>
        measure === 'distance'
          ? `${label} (${plural(changed, 'gene')}, distance ${value(own)})`
          : `${label} (${plural(changed, 'gene')}, ${plural(own, 'cell')})`,
      );
    return {
      reading: [
        `The dots show ${plural(perturbations.length, 'perturbation')} by their changed genes from left to right and ${measure === 'distance' ? 'their energy distance from the controls' : 'their cells'} from bottom to top.`,
        `${whole(changing)} change more genes than the ${whole(byChance)} that differ between controls at most${measure === 'distance' ? `; the distances of ${whole(differing)} differ from those of shuffled labels` : ''}.`,
      ],
      more: phrases.length > 0 ? [`Most changed genes: ${listed(phrases)}.`] : [],
      cautions: [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, perturbations: numbers.perturbations.slice(0, rows) }),
};
