import { z } from 'zod';
import { common, count, counted, list, listed, named, plotWords, text, value, whole } from '../plot-words.ts';

export const geneNetworkWords = plotWords({
  kind: 'gene-network',
  name: 'Network of genes',
  numbers: z.object({
    kind: z.literal('gene-network'),
    ...common,
    subtitle: text,
    nodes: list(z.object({ gene: text, module: count })),
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
        `The network joins ${counted(nodes.length, 'gene')} that ${nodes.length === 1 ? 'varies' : 'vary'} most with the others of ${counted(modules.length, 'module')} by ${counted(edges.length, 'local correlation')} over neighbouring cells.`,
        strongest.length === 0
          ? 'No two of them are correlated enough to be joined.'
          : `The highest joins ${strongest[0]!.replace(/ \((?=[^(]*$)/, ' (Z = ')}${modules.length > 1 ? `; ${whole(between)} of the ${whole(edges.length)} join genes of two modules` : ''}.`,
      ],
      more: [`${subtitle}.`, ...(strongest.length > 0 ? [`The highest (Z): ${listed(strongest)}.`] : [])],
      cautions: [],
      general: [
        'An edge says that two genes vary together over neighbouring cells, not that one acts on the other.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, nodes: numbers.nodes.slice(0, rows), edges: [] }),
});
