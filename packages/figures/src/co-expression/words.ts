import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import { common, count, list, listed, named, plotWords, text, value, whole } from '../plot-words.ts';

function largestOf<Module extends { size: number }>(modules: readonly Module[]): Module {
  return modules.reduce((largest, one) => (one.size > largest.size ? one : largest));
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
      `The heatmap shows the local correlation of each pair of ${plural(genes.length, 'gene')} over neighboring cells, as a Z-score: ${subtitle}.`,
      modules[0] === undefined
        ? 'No genes vary together in a module.'
        : `The largest module, ${largestOf(modules).label}, has ${plural(largestOf(modules).size, 'gene')}${largestOf(modules).hubs.length > 0 ? `; ${listed(largestOf(modules).hubs.slice(0, 3))} vary most with the others` : ''}.`,
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
      'Genes of one module vary together over neighboring cells; this does not show that one acts on another.',
    ],
  }),
  firstRows: (numbers, rows) => ({
    ...numbers,
    genes: numbers.genes.slice(0, rows),
    modules: numbers.modules.slice(0, rows),
  }),
});

export const geneNetworkWords = plotWords({
  kind: 'gene-network',
  name: 'Network of genes',
  numbers: z.object({
    kind: z.literal('gene-network'),
    ...common,
    subtitle: text,
    nodes: list(z.object({ gene: text, module: count })),
    /** Weakest first. */
    edges: list(z.object({ nodes: z.tuple([count, count]), score: z.number() })),
    modules: list(z.object({ label: text, size: count })),
  }),
  sentences: ({ subtitle, nodes, edges, modules }) => {
    const strongest = edges
      .toSorted((one, other) => other.score - one.score)
      .slice(0, named)
      .map(
        ({ nodes: [one, other], score }) =>
          `${nodes[one]?.gene ?? ''} and ${nodes[other]?.gene ?? ''} (${value(score)})`,
      );
    const between = edges.filter(
      ({ nodes: [one, other] }) => nodes[one]?.module !== nodes[other]?.module,
    ).length;
    return {
      reading: [
        `The network joins ${plural(nodes.length, 'gene')} that ${pluralWord(nodes.length, 'varies', 'vary')} most with the others of ${plural(modules.length, 'module')} by ${plural(edges.length, 'local correlation')} over neighboring cells.`,
        strongest.length === 0
          ? 'No two of them are correlated enough to be joined.'
          : `The highest joins ${strongest[0]!.replace(/ \((?=[^(]*$)/, ' (Z = ')}${modules.length > 1 ? `; ${whole(between)} of the ${whole(edges.length)} join genes of two modules` : ''}.`,
      ],
      more: [`${subtitle}.`, ...(strongest.length > 0 ? [`The highest (Z): ${listed(strongest)}.`] : [])],
      cautions: [],
      general: [
        'An edge means that two genes vary together over neighboring cells, not that one acts on the other.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, nodes: numbers.nodes.slice(0, rows), edges: [] }),
});
