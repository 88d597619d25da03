import { z } from 'zod';
import { plural } from '@cellfolio/model';
import { common, list, listed, named, number, plotWords, pValue, text, value, whole } from '../plot-words.ts';

export const sampleHeatmapWords = plotWords({
  kind: 'sample-heatmap',
  name: 'Heatmap by sample',
  numbers: z.object({
    kind: z.literal('sample-heatmap'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']) })),
    genes: list(z.object({ gene: text, logFoldChange: number, adjustedP: number })),
  }),
  sentences: ({ sides, samples, genes }) => {
    const words = (own: typeof genes) =>
      listed(
        own
          .slice(0, named)
          .map(
            ({ gene, logFoldChange, adjustedP }) =>
              `${gene} (log2 fold change ${value(logFoldChange)}, adjusted p ${pValue(adjustedP)})`,
          ),
      );
    const higher = genes.filter(({ logFoldChange }) => (logFoldChange ?? 0) > 0);
    const lower = genes.filter(({ logFoldChange }) => !((logFoldChange ?? 0) > 0));
    const surest = genes.toSorted((one, other) => (one.adjustedP ?? 1) - (other.adjustedP ?? 1)).slice(0, 1);
    const ofA = samples.filter(({ side }) => side === 'a').length;
    return {
      reading: [
        `The heatmap shows ${plural(genes.length, 'gene')} with the smallest p-values in ${plural(ofA, 'sample')} of ${sides.a} and ${whole(samples.length - ofA)} of ${sides.b}, each gene about its own mean.`,
        genes.length === 0
          ? 'No gene was tested.'
          : `${plural(higher.length, 'is', 'are')} higher in ${sides.a} and ${whole(lower.length)} in ${sides.b}; the smallest p is that of ${words(surest)}.`,
      ],
      more: [
        ...(higher.length > 0 ? [`Higher in ${sides.a}: ${words(higher)}.`] : []),
        ...(lower.length > 0 ? [`Higher in ${sides.b}: ${words(lower)}.`] : []),
      ],
      cautions: [],
      general: [
        'The genes were chosen for their difference, and each is drawn about its own mean: the colors show which samples agree, not how large a difference is.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
});
