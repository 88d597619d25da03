import { countText } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  type AxisBins,
  countedP,
  curveGenes,
  type GeneAlong,
  pseudotimeFields,
  type PseudotimeRequest,
  pseudotimeGraphText,
} from '../axis/fields.ts';
import { count, declareAnalysis, type FactTable, figure, number, pValue, share, text } from '../declare.ts';
import { pValuesAtBoundText } from '../fields.ts';

/** The input of the figures. */
export interface TrajectoryFigure {
  /** Per cell: from 0 to 1, Infinity if the root is not connected to it, NaN if it was not analysed. */
  readonly pseudotime: Float64Array;
  /** Barcode and group of the cell at 0; the group is empty for none. */
  readonly root: { readonly barcode: string; readonly group: string };
  readonly cells: { readonly analysed: number; readonly reached: number };
  readonly groupTitle: string;
  readonly groups: readonly string[];
  readonly graph: {
    readonly sizes: Int32Array;
    /** Groups × groups, symmetric: 0 without edges. */
    readonly connectivities: Float64Array;
    /** Pairs of groups. */
    readonly tree: readonly (readonly [number, number])[];
  };
  /** Bins of pseudotime. */
  readonly bins: AxisBins;
  readonly heatmap: readonly GeneAlong[];
  readonly curves: readonly GeneAlong[];
  readonly unit: string;
}

const maxListed = 30;

const integer = z.number().int();
const quartile = z.number().nullable();

const result = z.object({
  group_title: z.string().describe('Display name of the column.'),
  root: z
    .object({
      barcode: z.string(),
      group: z.string().describe('Empty for none.'),
      how: z.string().describe('Why this cell, in words.'),
      tip_share: z
        .number()
        .describe(
          'Of the cells on its side of the first diffusion component, the share that it lies beyond: near 1 at a tip, 1/2 along a path.',
        ),
    })
    .describe('The cell where pseudotime is 0.'),
  neighbors: z.string().describe('Where the graph of nearest cells comes from, in words.'),
  cells: z
    .object({
      analysed: integer,
      reached: integer.describe('Cells connected to the root: they have a pseudotime.'),
      without_components: integer.describe('Active cells without principal components.'),
      parts: integer.describe('Connected parts of the graph.'),
    })
    .describe('Numbers of cells.'),
  eigenvalues: z.array(z.number()).describe('Of the diffusion map, falling.'),
  groups: z
    .array(
      z.object({
        name: z.string(),
        cells: integer,
        reached: integer,
        first_quartile: quartile.describe('Of pseudotime; `null` where no cell is reached.'),
        median: quartile,
        third_quartile: quartile,
      }),
    )
    .describe('The groups of the column, with quartiles of pseudotime.'),
  connectivities: z
    .array(
      z.object({
        groups: z.tuple([z.string(), z.string()]),
        connectivity: z.number(),
        in_tree: z
          .boolean()
          .describe('It is in the tree that spans the groups with the strongest connectivities.'),
      }),
    )
    .describe('PAGA connectivities (v1.2) other than 0, the strongest first.'),
  genes: z
    .object({
      tested: integer,
      rising: integer.describe('Adjusted p below 0.05 and a positive correlation.'),
      falling: integer.describe('Adjusted p below 0.05 and a negative correlation.'),
    })
    .describe('Numbers of genes.'),
});
type Result = z.output<typeof result>;

/** Orders cells by diffusion pseudotime, as scanpy's `tl.dpt`, and correlates genes with it. */
export const trajectory = declareAnalysis({
  id: 'trajectory',
  title: 'Trajectory Analysis',
  task: 'order',
  question: 'In which order do cells develop from a root? With a PAGA graph of their groups.',
  searchWords: 'PAGA pseudotime diffusion map branches root',
  questionPhrases: ['trajectory', 'pseudotime', 'paga', 'lineage', 'develop'],
  icon: 'route',
  summary: 'Order the active cells by diffusion pseudotime from a root',
  path: '/api/perform-trajectory-analysis',
  fields: { table: 'genes', figure: 'figure' },
  file: 'trajectory_genes',
  about: 'Every cell gets a pseudotime, even outside the process: activate a subset of one lineage first.',
  request: z.object({
    ...pseudotimeFields,
    genes: curveGenes('most correlated with pseudotime, in both directions', 'pseudotime'),
  }),
  result,
  table: {
    names: text('Gene'),
    rho: number('Spearman’s correlation', "Spearman's correlation with pseudotime over the cells with one"),
    pvals: pValue('P-value', "of Student's t"),
    pvals_adj: pValue('Adjusted p-value', 'adjusted by Benjamini and Hochberg over the genes that vary'),
    pct_nz: share('Expressing', 'share of cells with a value other than 0'),
    mean: number('Mean'),
    peak: number(
      'Peak at pseudotime',
      'mean pseudotime of the bin with the greatest mean, of bins of equal numbers of cells',
    ),
  },
  cells: { name: 'pseudotime', about: '`inf` where the root is not connected to the cell' },
  rows: { one: 'gene', many: 'genes', order: 'the strongest correlation with pseudotime first' },
  figure: figure<TrajectoryFigure>('pseudotime-umap', 'Pseudotime and PAGA', { file: 'pseudotime' }),
  cautions: {
    'order-tested-on-own-data': ({ tested, cells }: { tested: number; cells: number }) =>
      `The same expression ordered the cells and is tested: genes are correlated with pseudotime by construction, and each of ${countText(cells)} cells counts as a replicate. Use the p-values to rank the ${countText(tested)} genes, not as evidence of a process.`,
    'p-values-at-bound': ({ genes }: { genes: number; bound: number }) => pValuesAtBoundText(genes),
  },
  headline: ['root'],
  verb: 'Ordering the',
  describe(request, answer) {
    if (answer === undefined) {
      const from = `cells from ${rootText(request)}`;
      return [`${from}, groups of ${columnTitle(request.groupby)}`, pseudotimeGraphText(request)];
    }
    const { root, genes } = answer;
    return [
      `diffusion pseudotime from ${root.barcode}`,
      `${countText(genes.rising)} genes rise and ${countText(genes.falling)} fall with it, adjusted p < ${countedP}`,
    ];
  },
  nothing(_, { genes }) {
    if (genes.rising + genes.falling > 0) return undefined;
    return {
      title: 'No Genes Along Pseudotime',
      text: `None of ${countText(genes.tested)} genes that vary is correlated with pseudotime with an adjusted p-value below ${countedP}. The table has all of them.`,
    };
  },
  tables: (answer) => [groupTable(answer), ...(answer.connectivities.length > 0 ? [edgeTable(answer)] : [])],
});

export type TrajectoryRequest = z.output<typeof trajectory.request>;
export type TrajectoryResult = Result;

function rootText({ root }: Pick<PseudotimeRequest, 'root'>): string {
  if (root.by === 'cell') return `the cell ${root.barcode}`;
  return root.by === 'group' ? `the tip of ${root.group}` : 'a suggested tip';
}

function groupTable({ groups, group_title: title }: Result): FactTable {
  const inOrder = groups.toSorted((one, other) => (one.median ?? Infinity) - (other.median ?? Infinity));
  return {
    title: 'Groups',
    label: `Groups of ${title} along pseudotime`,
    columns: [
      text(title),
      count('Cells'),
      count('Ordered'),
      number('First quartile'),
      number('Median pseudotime'),
      number('Third quartile'),
    ],
    rows: inOrder.map(({ name, cells, reached, ...times }) => [
      name,
      cells,
      reached,
      timeText(times.first_quartile),
      timeText(times.median),
      timeText(times.third_quartile),
    ]),
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : time.toFixed(3);
}

function edgeTable({ connectivities }: Result): FactTable {
  const more = connectivities.length - maxListed;
  return {
    title: 'Connectivities',
    label: 'PAGA connectivities',
    columns: [text('Groups'), number('Connectivity (PAGA)'), text('Spanning tree')],
    rows: connectivities
      .slice(0, maxListed)
      .map(({ groups: [one, other], connectivity, in_tree: inTree }) => [
        `${one} – ${other}`,
        connectivity.toFixed(3),
        inTree ? 'yes' : '',
      ]),
    ...(more > 0 && { note: `${countText(more)} weaker ones are not listed.` }),
  };
}
