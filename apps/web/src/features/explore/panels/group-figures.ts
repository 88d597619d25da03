import type { FigureContent } from '@cellfolio/contract';
import { maxListedGenes } from '@cellfolio/plots/content';
import { bracketed, type ChosenList } from './list-brackets.ts';

/** What is chosen in the panel; an empty text is the choice of no column. */
export interface GroupFigureChoice {
  readonly genes: readonly string[];
  /** Gene lists that the genes are of; their names stand over them where the figure has brackets. */
  readonly lists: readonly ChosenList[];
  /** A column of numbers that is drawn instead of genes. */
  readonly number: string;
  readonly by: string;
  readonly split: string;
  /** What the bars of a composition are made of. */
  readonly parts: string;
  readonly scaled: boolean;
  readonly counted: boolean;
}

type ChoiceField = 'number' | 'by' | 'split' | 'parts' | 'scaled' | 'counted';

interface GroupFigure {
  readonly kind: FigureContent['kind'];
  readonly label: string;
  /** Fewest and most genes of one figure; absent where it has none. */
  readonly genes?: readonly [number, number];
  readonly fields: readonly ChoiceField[];
  contents(choice: GroupFigureChoice): FigureContent[];
}

function grouped(column: string): { by?: { column: string } } {
  return column === '' ? {} : { by: { column } };
}

/** Means of genes by group. */
function geneMatrix(kind: 'gene-dot-plot' | 'matrix-plot' | 'heatmap', label: string): GroupFigure {
  return {
    kind,
    label,
    genes: [1, maxListedGenes],
    fields: ['by', 'scaled'],
    contents: ({ genes, lists, by, scaled }) => [
      { kind, ...bracketed(genes, lists), ...grouped(by), scale: scaled ? 'gene' : 'none' },
    ],
  };
}

/** Values of single genes, or of a column of numbers, by group. */
function distribution(kind: 'violin' | 'ridge', label: string): GroupFigure {
  return {
    kind,
    label,
    genes: [1, 12],
    fields: ['number', 'by', ...(kind === 'violin' ? (['split'] as const) : [])],
    contents: ({ genes, number, by, split }) => {
      const how = { ...grouped(by), ...(kind === 'violin' && split !== '' && { split: { column: split } }) };
      return number === ''
        ? genes.map((gene) => ({ kind, ...how, of: { measure: 'gene', gene } }))
        : [{ kind, ...how, of: { measure: 'obs', column: number } }];
    },
  };
}

/** The figures that compare groups of cells; a kind is one entry here. */
export const groupFigures: readonly GroupFigure[] = [
  distribution('violin', 'Violin'),
  distribution('ridge', 'Ridge plot'),
  {
    kind: 'stacked-violin',
    label: 'Stacked violin',
    genes: [1, maxListedGenes],
    fields: ['by'],
    contents: ({ genes, by }) => [{ kind: 'stacked-violin', genes: [...genes], ...grouped(by) }],
  },
  geneMatrix('gene-dot-plot', 'Dot plot'),
  geneMatrix('matrix-plot', 'Matrix plot'),
  geneMatrix('heatmap', 'Heatmap of cells'),
  {
    kind: 'composition-bar',
    label: 'Composition',
    fields: ['by', 'parts', 'counted'],
    contents: ({ by, parts, counted }) => [
      {
        kind: 'composition-bar',
        by: { column: by },
        ...(parts !== '' && { of: { column: parts } }),
        show: counted ? 'count' : 'share',
        order: 'column',
      },
    ],
  },
  {
    kind: 'gene-scatter',
    label: 'Two genes',
    genes: [2, 2],
    fields: [],
    contents: ({ genes: [x = '', y = ''] }) => [{ kind: 'gene-scatter', x, y }],
  },
];

/** What is missing before a figure can be drawn; undefined where nothing is. */
export function missingFor(
  { genes, kind, fields }: GroupFigure,
  choice: GroupFigureChoice,
): string | undefined {
  if (kind === 'composition-bar' && choice.by === '') return 'Choose the column whose groups are the bars.';
  if (genes === undefined || (fields.includes('number') && choice.number !== '')) return undefined;
  const [least, most] = genes;
  const count = choice.genes.length;
  if (count > most) {
    return least === most
      ? `This figure has ${most} genes; remove ${count - most}.`
      : `At most ${most} genes are drawn at once; remove ${count - most}.`;
  }
  if (count >= least) return undefined;
  return least === 1 ? 'Choose at least one gene.' : `Choose ${least} genes; ${least - count} more.`;
}
