import { z } from 'zod';
import { common, count, list, listed, named, plotWords, text, whole } from '../plot-words.ts';

export const moduleHeatmapWords = plotWords({
  kind: 'module-heatmap',
  numbers: z.object({
    kind: z.literal('module-heatmap'),
    ...common,
    subtitle: text,
    genes: list(text),
    modules: list(z.object({ label: text, size: count, hubs: list(text) })),
  }),
  sentences: ({ subtitle, genes, modules }) => ({
    findings: [
      `${subtitle}, of ${whole(genes.length)} genes whose pairs were correlated over neighbouring cells.`,
      ...modules
        .slice(0, named)
        .map(
          ({ label, size, hubs }) =>
            `${label} has ${whole(size)} genes; ${listed(hubs)} vary most with the others.`,
        ),
      ...(modules.length > named ? [`${whole(modules.length - named)} smaller modules follow.`] : []),
    ],
    cautions: [
      'Genes of one module vary together over neighbouring cells; that does not say that one acts on another.',
    ],
  }),
  firstRows: (numbers, rows) => ({
    ...numbers,
    genes: numbers.genes.slice(0, rows),
    modules: numbers.modules.slice(0, rows),
  }),
});
