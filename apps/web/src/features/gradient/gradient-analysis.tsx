import {
  type FigureContent,
  type GradientAnswer,
  type GradientRequest,
  columnTitle,
  gradientAnswer,
  gradientRequest,
} from '@cellfolio/contract';
import { TrendingUp } from 'lucide-react';
import {
  defineAnalysis,
  type NothingFound,
  figureOf,
  FigureChoice,
  type FigurePanelProps,
  figuresOfKinds,
  ResultFacts,
} from '@/features/analyses/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { orderGraphText } from '@/features/trajectory/index.ts';
import { formatCount, plural, nameList } from '@/lib/format.ts';
import { gradientFollowUps } from './follow-ups.ts';
import { GradientFields } from './gradient-fields.tsx';
import { type GradientForm, gradientDefaults, gradientRequestOf, isComplete } from './gradient-form.ts';

const short = (value: number) => String(Number(value.toPrecision(4))).replace('-', '−');

function GradientFacts({ answer }: { answer: GradientAnswer }) {
  const { axis, cells, samples, curve } = answer;
  const within = samples?.tested ?? [];
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Axis:</span> {axis.name} · {formatCount(cells.tested)} of{' '}
          {formatCount(cells.analysed)} cells ·{' '}
          {within.length > 0 ? `within ${plural(within.length, 'sample')}` : 'all cells together'}
        </>
      }
    >
      <dt>Places</dt>
      <dd>
        {axis.unit}, from {short(axis.least)} to {short(axis.greatest)}
        {axis.commonest_share >= 0.1 &&
          `; ${(100 * axis.commonest_share).toFixed(0)} % of the cells at ${short(axis.commonest)}`}
      </dd>
      {axis.line !== null && (
        <>
          <dt>Line</dt>
          <dd>
            from ({axis.line.from.map(short).join(', ')}), where the axis is 0, to (
            {axis.line.to.map(short).join(', ')}), where it is 1
          </dd>
        </>
      )}
      {axis.own_genes.length > 0 && (
        <>
          <dt>Not tested</dt>
          <dd>
            {axis.own_genes.length === 1 ? 'the gene' : `the ${plural(axis.own_genes.length, 'gene')}`} of the
            axis: {nameList(axis.own_genes, 20)}
          </dd>
        </>
      )}
      <dt>Tests</dt>
      <dd>{answer.test}</dd>
      <dt>Curve</dt>
      <dd>
        {curve.degrees} and {formatCount(Math.round(curve.left))} degrees of freedom, {curve.replicates} as
        replicates; knots at {curve.knots.map(short).join(', ')}
      </dd>
      <dt>Samples</dt>
      <dd>
        {samples === null
          ? 'no sample column is known'
          : within.length > 0
            ? `${samples.title} (${samples.reason}): ${nameList(
                within.map(({ name, cells: count }) => `${name} (${formatCount(count)})`),
                20,
              )}`
            : `${samples.title} (${samples.reason}), not tested by themselves`}
      </dd>
      {axis.counts_rho !== null && (
        <>
          <dt>Total counts</dt>
          <dd>Spearman’s correlation with the axis {axis.counts_rho.toFixed(2)}</dd>
        </>
      )}
    </ResultFacts>
  );
}

const kinds = [
  { kind: 'gradient-heatmap', label: 'Heatmap of genes', word: 'heatmap' },
  { kind: 'gradient-curve', label: 'Curves of genes', word: 'curves' },
  { kind: 'gradient-umap', label: 'The axis on the UMAP', word: 'map of the axis' },
] as const;

function GradientPanel({ answer }: FigurePanelProps<GradientAnswer>) {
  const offered = answer.has_map ? kinds : kinds.slice(0, 2);
  return <FigureChoice figures={figuresOfKinds(offered, answer.source, `, along ${answer.axis.name}`)} />;
}

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
  requestLine: ({ axis }, cells) =>
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
