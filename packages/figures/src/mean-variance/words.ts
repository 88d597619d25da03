import { plural } from '@cellfolio/model';
import { type KindWords, value } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

/** A curve that rises by this factor from its left end indicates genes with too few counts. */
const risen = 1.1;

export const words: KindWords<Numbers> = {
  name: 'Mean–variance plot',
  sentences: ({ measure, genes, trend }) => {
    const [first, last] = [trend[0], trend.at(-1)];
    if (!first || !last) {
      return {
        reading: [
          `The plot has ${plural(genes, 'gene')} and no curve.`,
          'There are too few genes with enough counts to draw one.',
        ],
        cautions: [],
      };
    }
    const highest = trend.reduce((best, point) => (point[1] > best[1] ? point : best));
    const falls = last[1] < first[1];
    return {
      reading: [
        `The curve through ${plural(genes, 'gene')} goes from a root of the ${whatOf[measure]} of ${value(first[1])} at a log2 mean count of ${value(first[0])} to ${value(last[1])} at ${value(last[0])}.`,
        measure === 'deviation'
          ? weighed(falls)
          : measure === 'dispersion'
            ? drawnTowards(falls)
            : multiplied,
      ],
      cautions:
        measure === 'deviation' && highest[1] > risen * first[1] && highest[0] < (first[0] + last[0]) / 2
          ? [
              `The curve rises before it falls, up to ${value(highest[1])} at ${value(highest[0])}: genes with very few counts were tested. Excluding them makes the tests more reliable.`,
            ]
          : [],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, trend: numbers.trend.slice(0, rows) }),
};

const whatOf = {
  deviation: 'standard deviation',
  'quasi-dispersion': 'quasi-likelihood dispersion',
  dispersion: 'dispersion',
} as const;

const multiplied =
  'The quasi-likelihood dispersion of a gene is 1 if it varies like genes with its mean; each was shrunk toward the curve.';

function weighed(falls: boolean): string {
  return falls
    ? 'Genes with many counts vary less between samples of a side, so they get more weight in the tests.'
    : 'Genes with many counts vary as much as those with few, so weights make little difference.';
}

function drawnTowards(falls: boolean): string {
  return `The dispersion of each gene was shrunk toward the curve${falls ? ', which falls for genes with many counts' : ''}; genes far above it kept their own.`;
}
