import type { FigureContent, GradientAnswer, GradientRequest } from '@cellfolio/contract';
import { columnTitle, gradientAnswer, gradientRequest } from '@cellfolio/contract';
import { TrendingUp } from 'lucide-react';
import { defineAnalysis, type NothingFound, figureOf } from '@/features/analyses/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { orderGraphText } from '@/features/trajectory/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { gradientFollowUps } from './follow-ups.ts';
import { GradientFacts } from './gradient-facts.tsx';
import { GradientFields } from './gradient-fields.tsx';
import { type GradientForm, gradientDefaults, gradientRequestOf, isComplete } from './gradient-form.ts';
import { GradientPanel } from './gradient-panel.tsx';

export const gradientAnalysis = defineAnalysis<GradientForm, GradientRequest, GradientAnswer>({
  id: 'gradient',
  title: 'Gradient Analysis',
  name: 'gradient analysis',
  noticeName: 'Gradient analysis',
  running: 'Running Gradient Analysis',
  icon: TrendingUp,
  path: '/api/perform-gradient-analysis',
  request: gradientRequest,
  answer: gradientAnswer,
  csvField: 'genes_csv',
  form: {
    defaults: gradientDefaults,
    groupByOf: ({ columns }) => columns.cell_types ?? columns.leiden_clusters ?? undefined,
    requestOf: gradientRequestOf,
    isComplete,
    Fields: GradientFields,
  },
  runningText: ({ axis }) => `Testing genes along ${axisText(axis)}`,
  startedText: ({ axis }) => `Testing genes along ${axisText(axis)}`,
  asked: ({ axis }, cells) =>
    `Genes along ${axisText(axis)}, ${cells}${axis.of === 'pseudotime' ? `: ${orderGraphText(axis)}` : ''}`,
  columns: new Map([
    ['names', { label: 'Gene', kind: 'text' }],
    ['rho', { label: 'Spearman’s correlation', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['samples', { label: 'Samples', kind: 'count' }],
    ['agreeing', { label: 'Agreeing', kind: 'count' }],
    ['rho_all_cells', { label: 'Over all cells', kind: 'number' }],
    ['f', { label: 'F of the curve', kind: 'number' }],
    ['f_pvals', { label: 'P of the curve', kind: 'p-value' }],
    ['f_pvals_adj', { label: 'Adjusted p of the curve', kind: 'p-value' }],
    ['explained', { label: 'Explained by the curve', kind: 'share' }],
    ['range', { label: 'Range along the axis', kind: 'number' }],
    ['peak', { label: 'Peak at', kind: 'number' }],
    ['pct_nz', { label: 'Expressing', kind: 'share' }],
    ['mean', { label: 'Mean', kind: 'number' }],
  ]),
  files: { table: 'gradient_genes', figure: 'gradient_heatmap' },
  figure: 'Heatmap',
  panelTitle: 'Figures',
  searchPlaceholder: 'Search genes',
  rowNoun: () => 'gene',
  allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `Along ${answer.axis.name}, ${cells}: ${formatCount(answer.genes.rising)} genes rise and ${formatCount(answer.genes.falling)} fall, adjusted p < 0.05${answer.curve.degrees > 1 ? `; the curves of ${formatCount(answer.genes.turning)} turn` : ''}`,
    figure: figureOf(answer, 'figure'),
    nothing: noGenes(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: GradientFacts,
  Figure: GradientPanel,
  followUps: gradientFollowUps,
  figuresOfRow: [
    {
      name: 'Curve',
      about: 'The cells of the result along the axis.',
      source: (source, { columns }, row) => {
        const names = textsOf(columns, 'names');
        if (source.content.kind !== 'gradient-heatmap' || names === undefined) return null;
        const gene = textAt(names, row);
        const content: FigureContent = { ...source.content, kind: 'gradient-curve', genes: [gene] };
        return { source: { ...source, content }, title: gene };
      },
    },
  ],
});

function axisText(axis: GradientRequest['axis']): string {
  switch (axis.of) {
    case 'gene':
      return `the expression of ${axis.gene}`;
    case 'signature':
      return `the score of ${axis.score_name || 'a signature'} (${plural(axis.genes.length, 'gene')})`;
    case 'cell-state':
      return `the score of ${axis.cell_state}`;
    case 'column':
      return columnTitle(axis.column);
    case 'pseudotime':
      return 'pseudotime';
    case 'groups':
      return `the line from ${axis.from} to ${axis.to}`;
    case 'line':
      return 'a line on the map';
  }
}

function noGenes({ genes }: GradientAnswer): NothingFound | null {
  if (genes.rising + genes.falling + genes.turning > 0) return null;
  return {
    title: 'No Genes Along the Axis',
    text: `None of ${formatCount(genes.tested)} genes that vary follows the axis with an adjusted p-value below 0.05. The table has all of them.`,
  };
}
