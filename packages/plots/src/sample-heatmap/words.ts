import { z } from 'zod';
import { common, list, listed, named, number, plotWords, pValue, text, value, whole } from '../plot-words.ts';

export const sampleHeatmapWords = plotWords({
  kind: 'sample-heatmap',
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
    const ofA = samples.filter(({ side }) => side === 'a').length;
    return {
      findings: [
        `${whole(genes.length)} genes of the smallest p-values in ${whole(ofA)} samples of ${sides.a} and ${whole(samples.length - ofA)} of ${sides.b}.`,
        ...(higher.length > 0 ? [`Higher in ${sides.a}: ${words(higher)}.`] : []),
        ...(lower.length > 0 ? [`Higher in ${sides.b}: ${words(lower)}.`] : []),
      ],
      cautions: [
        'The genes were chosen for their difference, and each is drawn about its own mean: the colours say which samples agree, not how large a difference is.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
});
