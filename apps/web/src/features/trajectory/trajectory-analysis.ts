import type { TrajectoryAnswer, TrajectoryRequest } from '@cellfolio/contract';
import { columnTitle, trajectoryAnswer, trajectoryRequest } from '@cellfolio/contract';
import { Route } from 'lucide-react';
import { defineAnalysis, type NothingFound, figureOf } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { TrajectoryFacts } from './trajectory-facts.tsx';
import { TrajectoryFields } from './trajectory-fields.tsx';
import {
  orderGraphText,
  isComplete,
  trajectoryDefaults,
  type TrajectoryForm,
  trajectoryRequestOf,
} from './trajectory-form.ts';
import { TrajectoryPanel } from './trajectory-panel.tsx';

export const trajectoryAnalysis = defineAnalysis<TrajectoryForm, TrajectoryRequest, TrajectoryAnswer>({
  id: 'trajectory',
  title: 'Trajectory Analysis',
  name: 'trajectory analysis',
  noticeName: 'Trajectory analysis',
  running: 'Running Trajectory Analysis',
  icon: Route,
  path: '/api/perform-trajectory-analysis',
  request: trajectoryRequest,
  answer: trajectoryAnswer,
  csvField: 'genes_csv',
  form: {
    defaults: trajectoryDefaults,
    groupByOf: ({ columns }) => columns.cell_types ?? columns.leiden_clusters ?? undefined,
    requestOf: trajectoryRequestOf,
    isComplete,
    Fields: TrajectoryFields,
  },
  runningText: orderText,
  startedText: orderText,
  asked: (request, cells) => `${orderText(request)}, ${cells}: ${orderGraphText(request)}`,
  columns: new Map([
    ['names', { label: 'Gene', kind: 'text' }],
    ['rho', { label: 'Spearman’s correlation', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['pct_nz', { label: 'Expressing', kind: 'share' }],
    ['mean', { label: 'Mean', kind: 'number' }],
    ['peak', { label: 'Peak at pseudotime', kind: 'number' }],
  ]),
  files: { table: 'trajectory_genes', figure: 'pseudotime' },
  figure: 'Pseudotime Map',
  searchPlaceholder: 'Search genes',
  rowNoun: () => 'gene',
  allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `Diffusion pseudotime from ${answer.root.barcode}, ${cells}: ${formatCount(answer.genes.rising)} genes rise and ${formatCount(answer.genes.falling)} fall with it, adjusted p < 0.05`,
    figure: figureOf(answer, 'figure'),
    nothing: noGenes(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: TrajectoryFacts,
  Figure: TrajectoryPanel,
});

function orderText({ groupby, root = { by: 'suggestion' } }: TrajectoryRequest): string {
  const from =
    root.by === 'cell'
      ? `the cell ${root.barcode}`
      : root.by === 'group'
        ? `the tip of ${root.group}`
        : 'a suggested tip';
  return `Ordering the cells from ${from}, groups of ${columnTitle(groupby)}`;
}

function noGenes({ genes }: TrajectoryAnswer): NothingFound | null {
  if (genes.rising + genes.falling > 0) return null;
  return {
    title: 'No Genes Along Pseudotime',
    text: `None of ${formatCount(genes.tested)} genes that vary is correlated with pseudotime with an adjusted p-value below 0.05. The table has all of them.`,
  };
}
