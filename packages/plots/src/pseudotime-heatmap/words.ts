import { z } from 'zod';
import { common, list, listed, named, number, plotWords, text, value } from '../plot-words.ts';

export const pseudotimeHeatmapWords = plotWords({
  kind: 'pseudotime-heatmap',
  numbers: z.object({
    kind: z.literal('pseudotime-heatmap'),
    ...common,
    subtitle: text,
    genes: list(z.object({ gene: text, rho: number, peak: number })),
  }),
  sentences: ({ subtitle, genes }) => {
    const early = genes.slice(0, named).map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
    const late = genes
      .slice(Math.max(named, genes.length - named))
      .map(({ gene, peak }) => `${gene} (at ${value(peak)})`);
    return {
      findings: [
        `Pseudotime goes ${subtitle}.`,
        ...(early.length > 0 ? [`Genes whose means peak first: ${listed(early)}.`] : ['No gene is shown.']),
        ...(late.length > 0 ? [`Last: ${listed(late)}.`] : []),
      ],
      cautions: [
        'Each gene goes from its lowest to its highest mean: colours of two genes cannot be compared.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, genes: numbers.genes.slice(0, rows) }),
});
