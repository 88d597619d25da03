import { z } from 'zod';
import { common, count, counted, list, listed, named, plotWords, text, whole } from '../plot-words.ts';

function largestOf<Module extends { readonly size: number }>(modules: readonly Module[]): Module {
  return modules.reduce((most, one) => (one.size > most.size ? one : most));
}

export const moduleHeatmapWords = plotWords({
  kind: 'module-heatmap',
  name: 'Heatmap',
  numbers: z.object({
    kind: z.literal('module-heatmap'),
    ...common,
    subtitle: text,
    genes: list(text),
    modules: list(z.object({ label: text, size: count, hubs: list(text) })),
  }),
  sentences: ({ subtitle, genes, modules }) => ({
    reading: [
      `The heatmap shows the local correlation of each pair of ${counted(genes.length, 'gene')} over neighbouring cells, as a Z-score: ${subtitle}.`,
      modules[0] === undefined
        ? 'No genes vary together in a module.'
        : `The largest module, ${largestOf(modules).label}, has ${counted(largestOf(modules).size, 'gene')}${largestOf(modules).hubs.length > 0 ? `, of which ${listed(largestOf(modules).hubs.slice(0, 3))} vary most with the others` : ''}.`,
    ],
    more: [
      ...modules
        .slice(0, named)
        .map(
          ({ label, size, hubs }) =>
            `${label} has ${whole(size)} genes; ${listed(hubs)} vary most with the others.`,
        ),
      ...(modules.length > named ? [`${whole(modules.length - named)} smaller modules follow.`] : []),
    ],
    cautions: [],
    general: [
      'Genes of one module vary together over neighbouring cells; that does not say that one acts on another.',
    ],
  }),
  firstRows: (numbers, rows) => ({
    ...numbers,
    genes: numbers.genes.slice(0, rows),
    modules: numbers.modules.slice(0, rows),
  }),
});
