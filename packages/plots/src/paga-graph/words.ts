import { z } from 'zod';
import { common, count, counts, list, listed, named, plotWords, text, value, whole } from '../plot-words.ts';

export const pagaGraphWords = plotWords({
  kind: 'paga-graph',
  numbers: z.object({
    kind: z.literal('paga-graph'),
    ...common,
    counts,
    column: text,
    nodes: list(z.object({ label: text, cells: count })),
    edges: list(
      z.object({ nodes: z.tuple([count, count]), connectivity: z.number(), isInTree: z.boolean() }),
    ),
    threshold: z.number(),
    leftOut: count,
  }),
  sentences: ({ nodes, edges, threshold, leftOut, column }) => {
    const pair = ([i, j]: readonly [number, number]) =>
      `${nodes[i]?.label ?? ''} and ${nodes[j]?.label ?? ''}`;
    const strongest = edges
      .toSorted((one, other) => other.connectivity - one.connectivity)
      .slice(0, named)
      .map((edge) => `${pair(edge.nodes)} (${value(edge.connectivity)})`);
    const tree = edges.filter(({ isInTree }) => isInTree).map((edge) => pair(edge.nodes));
    return {
      findings: [
        `${whole(nodes.length)} groups of ${column} are joined by ${whole(edges.length)} edges of a PAGA connectivity of ${threshold} or more, or of the spanning tree.`,
        ...(strongest.length > 0 ? [`The strongest join ${listed(strongest)}.`] : []),
        ...(tree.length > 0 ? [`The spanning tree has the edges ${listed(tree.slice(0, 3 * named))}.`] : []),
        ...(leftOut > 0 ? [`${whole(leftOut)} weaker edges are not drawn.`] : []),
      ],
      cautions: [
        'An edge says that cells of two groups lie near each other, and nothing of the direction in which they develop.',
      ],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, edges: numbers.edges.slice(-rows) }),
});
