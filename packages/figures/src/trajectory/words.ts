import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  cells,
  common,
  count,
  counts,
  groupName,
  list,
  listed,
  mapCautions,
  mapName,
  named,
  ofMap,
  orderWords,
  plotWords,
  someCells,
  text,
  value,
} from '../plot-words.ts';
import { axisHeatmapWords, axisCurveWords } from '../axis-words.ts';

export const pseudotimeUmapWords = plotWords({
  kind: 'pseudotime-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('pseudotime-umap'),
    ...ofMap,
    subtitle: text,
    notScored: count,
  }),
  sentences: ({ axes: of, counts: shown, subtitle, notScored, order: drawOrder }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by diffusion pseudotime.`,
      `Pseudotime of ${cells(shown.cells - notScored)} goes ${subtitle} at 0 to the farthest cell at 1.`,
    ],
    cautions: [
      ...someCells(
        notScored,
        ['has', 'have'],
        'no pseudotime: not connected to the root, or without principal components.',
      ),
      ...mapCautions(shown),
    ],
    general: orderWords(drawOrder),
  }),
});

export const pagaGraphWords = plotWords({
  kind: 'paga-graph',
  name: 'Graph',
  numbers: z.object({
    kind: z.literal('paga-graph'),
    ...common,
    counts,
    column: text,
    nodes: list(z.object({ label: text, cells: count })),
    edges: list(
      z.object({ nodes: z.tuple([count, count]), connectivity: z.number(), isInTree: z.boolean() }),
    ),
    /** A weaker edge is drawn only if it is in the tree. */
    threshold: z.number(),
    leftOut: count,
  }),
  sentences: ({ counts: shown, nodes, edges, threshold, leftOut, column }) => {
    const pair = ([i, j]: readonly [number, number]) =>
      `${groupName(nodes[i]?.label ?? '')} and ${groupName(nodes[j]?.label ?? '')}`;
    const strongest = edges
      .toSorted((one, other) => other.connectivity - one.connectivity)
      .slice(0, named)
      .map((edge) => `${pair(edge.nodes)} (${value(edge.connectivity)})`);
    const tree = edges.filter(({ isInTree }) => isInTree).map((edge) => pair(edge.nodes));
    return {
      reading: [
        `The graph joins ${plural(nodes.length, 'group')} of ${cells(shown.cells)} by ${column} with ${plural(edges.length, 'edge')} of a PAGA connectivity of ${threshold} or more, or of the spanning tree.`,
        strongest.length === 0 ? 'No edge joins two groups.' : `The strongest edge joins ${strongest[0]!}.`,
      ],
      more: [
        ...(strongest.length > 1 ? [`The strongest join ${listed(strongest)}.`] : []),
        ...(tree.length > 0 ? [`The spanning tree has the edges ${listed(tree.slice(0, 3 * named))}.`] : []),
      ],
      cautions:
        leftOut > 0
          ? [`${plural(leftOut, 'weaker edge')} ${pluralWord(leftOut, 'is', 'are')} not drawn.`]
          : [],
      general: ['An edge means that cells of two groups are similar, not in which direction they develop.'],
    };
  },
  firstRows: (numbers, rows) => ({ ...numbers, edges: numbers.edges.slice(-rows) }),
});

export const pseudotimeHeatmapWords = axisHeatmapWords(
  'pseudotime-heatmap',
  (subtitle) => `diffusion pseudotime ${subtitle}`,
);

export const pseudotimeCurveWords = axisCurveWords(
  'pseudotime-curve',
  (subtitle) => `diffusion pseudotime ${subtitle}`,
);
