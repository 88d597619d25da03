import { defaultMinimumGenes, type FigureContent, type MapColumnList } from '@cellfolio/contract';
import { kindsByGroup, maxHeatmapGenes, maxListedGenes } from '@cellfolio/figures/content';
import { type Grouping, noSplit } from '@/features/map/index.ts';
import { plural } from '@/lib/format.ts';
import { bracketed, type ChosenList } from './list-brackets.ts';
import { conditionRank } from '@/lib/condition-names.ts';

export const measures = [
  { of: 'genes', label: 'Genes' },
  { of: 'number', label: 'Column of numbers' },
  { of: 'signature', label: 'Signature' },
  { of: 'state', label: 'Cell state' },
] as const;

export type MeasureChoice = (typeof measures)[number]['of'];

/** Orders of the bars in a composition; `part` sorts by the share of a named part. */
export const barOrders = [
  { order: 'column', label: 'As in the column' },
  { order: 'cells', label: 'Number of cells' },
  { order: 'largest-part', label: 'Share of the largest part' },
  { order: 'part', label: 'Share of a part' },
] as const;

export type BarOrder = (typeof barOrders)[number]['order'];

/** Choices in the panel; an empty string means no column. */
export interface GroupFigureChoice {
  measure: MeasureChoice;
  genes: readonly string[];
  /** Gene lists that contain the genes; their names are shown above them if the figure has brackets. */
  lists: readonly ChosenList[];
  number: string;
  signature: { name: string; genes: readonly string[] };
  state: string;
  by: Grouping | undefined;
  split: string;
  parts: Grouping | undefined;
  scaled: boolean;
  tree: boolean;
  counted: boolean;
  points: boolean;
  /** A sample column; each sample gets a dot for its mean. */
  samples: string;
  order: BarOrder;
  part: string;
  quality: readonly string[];
}

type ChoiceField =
  | 'measure'
  | 'by'
  | 'split'
  | 'parts'
  | 'scaled'
  | 'tree'
  | 'counted'
  | 'points'
  | 'samples'
  | 'order'
  | 'quality';

export interface GroupFigure {
  kind: FigureContent['kind'];
  label: string;
  /** Minimum and maximum number of genes per figure; absent if it has none. */
  genes?: readonly [number, number];
  fields: readonly ChoiceField[];
  contents(choice: GroupFigureChoice): FigureContent[];
}

type Measured = Extract<FigureContent, { kind: 'violin' }>['of'];

function grouped(by: Grouping | undefined): { by?: Grouping } {
  return by === undefined ? {} : { by };
}

function measured({ measure, number, signature, state }: GroupFigureChoice): Measured {
  if (measure === 'number') return { measure: 'obs', column: number };
  if (measure === 'state') {
    return {
      measure: 'score',
      score: { of: 'cell-state', cell_state: state, minimum_genes: defaultMinimumGenes },
    };
  }
  const { name, genes } = signature;
  return { measure: 'score', score: { of: 'signature', score_name: name.trim(), genes: [...genes] } };
}

function geneMatrix(kind: 'gene-dot-plot' | 'matrix-plot' | 'heatmap', label: string): GroupFigure {
  return {
    kind,
    label,
    genes: [1, kind === 'heatmap' ? maxHeatmapGenes : maxListedGenes],
    fields: ['by', 'scaled', 'tree'],
    contents: ({ genes, lists, by, scaled, tree }) => [
      {
        kind,
        ...bracketed(genes, lists),
        ...grouped(by),
        scale: scaled ? 'gene' : 'none',
        order: tree ? 'dendrogram' : 'column',
      },
    ],
  };
}

function distribution(kind: 'violin' | 'ridge', label: string): GroupFigure {
  const ofViolin = kind === 'violin';
  return {
    kind,
    label,
    genes: [1, 12],
    fields: ['measure', 'by', ...(ofViolin ? (['split', 'points', 'samples'] as const) : [])],
    contents: (choice) => {
      const { measure, genes, by, split, points, samples } = choice;
      const how = {
        ...grouped(by),
        ...(ofViolin && {
          ...(split !== '' && { split: { column: split } }),
          ...(points && { points }),
          ...(samples !== '' && { samples }),
        }),
      };
      return measure === 'genes'
        ? genes.map((gene) => Object.assign({ kind, of: { measure: 'gene', gene } } as const, how))
        : [{ kind, ...how, of: measured(choice) }];
    },
  };
}

function byGroup({ kind, label, genes }: (typeof kindsByGroup)[number]): GroupFigure {
  return {
    kind,
    label,
    ...(genes !== undefined && { genes: [1, genes] }),
    fields: ['by'],
    contents: (choice) => {
      const chosen = genes === undefined ? {} : { genes: [...choice.genes] };
      return [{ kind, ...chosen, ...grouped(choice.by) } as FigureContent];
    },
  };
}

/** The figures that compare groups of cells; a kind is one entry here. */
export const groupFigures: readonly GroupFigure[] = [
  distribution('violin', 'Violin'),
  distribution('ridge', 'Ridge plot'),
  ...kindsByGroup.map(byGroup),
  geneMatrix('gene-dot-plot', 'Dot plot'),
  geneMatrix('matrix-plot', 'Matrix plot'),
  geneMatrix('heatmap', 'Heatmap of cells'),
  {
    kind: 'composition-bar',
    label: 'Composition',
    fields: ['by', 'parts', 'order', 'counted'],
    contents: ({ by, parts, counted, order, part }) =>
      by === undefined
        ? []
        : [
            {
              kind: 'composition-bar',
              by,
              ...(parts !== undefined && { of: parts }),
              show: counted ? 'count' : 'share',
              order,
              ...(order === 'part' && { part }),
            },
          ],
  },
  {
    kind: 'gene-scatter',
    label: 'Scatter',
    genes: [2, 2],
    fields: ['measure'],
    contents: (choice) => {
      const [x = '', y = ''] = choice.genes;
      return [{ kind: 'gene-scatter', x, y: choice.measure === 'genes' ? y : measured(choice) }];
    },
  },
  {
    kind: 'pair-umap',
    label: 'Two genes on the UMAP',
    genes: [2, 2],
    fields: [],
    contents: ({ genes: [first = '', second = ''] }) => [
      { kind: 'pair-umap', first: [first], second: [second] },
    ],
  },
  {
    kind: 'quality',
    label: 'Quality of cells',
    fields: ['by', 'quality'],
    contents: ({ quality, by }) => [{ kind: 'quality', columns: [...quality], ...grouped(by) }],
  },
];

/** Whether genes are chosen for a figure: an axis of a scatter may be a gene beside a score. */
export function hasGenes({ kind, genes, fields }: GroupFigure, { measure }: GroupFigureChoice): boolean {
  return (
    genes !== undefined && (!fields.includes('measure') || measure === 'genes' || kind === 'gene-scatter')
  );
}

/** Missing input of a figure; undefined when it can be drawn. */
export function missingFor(figure: GroupFigure, choice: GroupFigureChoice): string | undefined {
  const { kind, genes, fields } = figure;
  if (kind === 'composition-bar' && choice.by === undefined)
    return 'Choose the column whose groups are the bars.';
  if (fields.includes('order') && choice.order === 'part' && choice.part === '')
    return 'Choose the part whose share sorts the bars.';
  if (fields.includes('quality') && choice.quality.length === 0) {
    return 'This dataset has no measures of quality: no column of numbers has a name such as n_genes_by_counts, total_counts or pct_counts_mt. Draw any other column as a violin.';
  }
  const unmeasured = fields.includes('measure') ? missingMeasure(choice) : undefined;
  if (unmeasured !== undefined) return unmeasured;
  if (genes === undefined || !hasGenes(figure, choice)) return undefined;
  const beside = kind === 'gene-scatter' && choice.measure !== 'genes' ? 1 : 0;
  const [minGenes, maxGenes] = genes.map((count) => count - beside) as [number, number];
  const count = choice.genes.length;
  if (count > maxGenes) {
    return minGenes === maxGenes
      ? `This figure takes ${plural(maxGenes, 'gene')}; remove ${count - maxGenes}.`
      : `At most ${maxGenes} genes can be drawn at once; remove ${count - maxGenes}.`;
  }
  if (count >= minGenes) return undefined;
  if (kind === 'gene-scatter' && minGenes === 1) return 'Choose the gene of the other axis.';
  return minGenes === 1 ? 'Choose at least one gene.' : `Choose ${minGenes} genes; ${minGenes - count} more.`;
}

function missingMeasure({ measure, number, signature, state }: GroupFigureChoice): string | undefined {
  if (measure === 'number' && number === '') return 'Choose the column of numbers.';
  if (measure === 'state' && state === '') return 'Choose the cell state.';
  if (measure !== 'signature') return undefined;
  if (signature.genes.length === 0) return 'Choose the genes of the signature.';
  return signature.name.trim() === '' ? 'Name the signature.' : undefined;
}

/** Columns shown by the quality violins, with their titles on the page. */
export function qualityHint(
  quality: readonly string[],
  columns: readonly { name: string; title: string }[],
): string {
  const titles = quality.map((name) => columns.find((column) => column.name === name)?.title ?? name);
  return `Draws ${titles.join(', ')}, with the median ± 5 median absolute deviations of each group: a guide to thresholds, not a rule.`;
}

type ObsColumn = MapColumnList['obs'][number];

const rankOf = ({ name }: ObsColumn) => conditionRank(name);

/** The most likely column to split a figure by: named like a condition, with few categories. */
export function conditionColumn(columns: readonly ObsColumn[]): ObsColumn | undefined {
  return columns
    .filter((column) => column.role === undefined && noSplit(column) === undefined && rankOf(column) >= 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.categories ?? 0) - (b.categories ?? 0))[0];
}
