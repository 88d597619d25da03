import {
  type TrajectoryAnswer,
  type TrajectoryRequest,
  columnTitle,
  trajectoryAnswer,
  trajectoryRequest,
} from '@cellfolio/contract';
import { Route, Download } from 'lucide-react';
import {
  defineAnalysis,
  type NothingFound,
  figureOf,
  FigureChoice,
  type FigurePanelProps,
  figuresOfKinds,
  useSaveResult,
  ResultFacts,
} from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { TrajectoryFields } from './trajectory-fields.tsx';
import {
  orderGraphText,
  isComplete,
  trajectoryDefaults,
  type TrajectoryForm,
  trajectoryRequestOf,
} from './trajectory-form.ts';

const maxListed = 30;

function TrajectoryFacts({ answer }: { answer: TrajectoryAnswer }) {
  const { root, cells, groups, connectivities, group_title: title } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Root:</span> {root.barcode}
          {root.group !== '' && ` (${root.group})`} · {formatCount(cells.reached)} of{' '}
          {formatCount(cells.analysed)} cells ordered · {formatCount(groups.length)} groups of {title}
        </>
      }
    >
      <dt>Root</dt>
      <dd>{root.how}</dd>
      <dt>Graph</dt>
      <dd>
        {answer.neighbors}; {plural(cells.parts, 'connected part', 'parts')}
      </dd>
      <dt>Order</dt>
      <dd>
        diffusion pseudotime as in scanpy, {answer.parameters.n_dcs} components; 0 is the root, 1 the farthest
        cell
      </dd>
      <dt>Groups</dt>
      <dd>
        <GroupTable groups={groups} title={title} />
      </dd>
      <dt>Connectivities</dt>
      <dd>
        <EdgeTable edges={connectivities} />
      </dd>
    </ResultFacts>
  );
}

const time = (value: number | null) => (value === null ? '–' : value.toFixed(3));

function GroupTable({ groups, title }: { groups: TrajectoryAnswer['groups']; title: string }) {
  const inOrder = groups.toSorted((one, other) => (one.median ?? Infinity) - (other.median ?? Infinity));
  return (
    <Table aria-label={`Groups of ${title} along pseudotime`}>
      <TableHeader>
        <TableRow>
          <TableHead>{title}</TableHead>
          <TableHead className="text-right">Cells</TableHead>
          <TableHead className="text-right">Ordered</TableHead>
          <TableHead className="text-right">First quartile</TableHead>
          <TableHead className="text-right">Median pseudotime</TableHead>
          <TableHead className="text-right">Third quartile</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {inOrder.map(({ name, cells, reached, first_quartile: first, median, third_quartile: third }) => (
          <TableRow key={name}>
            <TableCell>{name}</TableCell>
            <TableCell className="text-right">{formatCount(cells)}</TableCell>
            <TableCell className="text-right">{formatCount(reached)}</TableCell>
            <TableCell className="text-right">{time(first)}</TableCell>
            <TableCell className="text-right">{time(median)}</TableCell>
            <TableCell className="text-right">{time(third)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function EdgeTable({ edges }: { edges: TrajectoryAnswer['connectivities'] }) {
  if (edges.length === 0) return <>no two groups are connected</>;
  return (
    <>
      <Table aria-label="PAGA connectivities">
        <TableHeader>
          <TableRow>
            <TableHead>Groups</TableHead>
            <TableHead className="text-right">Connectivity (PAGA)</TableHead>
            <TableHead>Spanning tree</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody className="tabular-nums">
          {edges.slice(0, maxListed).map(({ groups: [one, other], connectivity, in_tree: inTree }) => (
            <TableRow key={JSON.stringify([one, other])}>
              <TableCell>
                {one} – {other}
              </TableCell>
              <TableCell className="text-right">{connectivity.toFixed(3)}</TableCell>
              <TableCell>{inTree ? 'yes' : ''}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {edges.length > maxListed && <p>{formatCount(edges.length - maxListed)} weaker ones are not listed.</p>}
    </>
  );
}

const kinds = [
  { kind: 'pseudotime-umap', label: 'Pseudotime on the UMAP', word: 'map of pseudotime' },
  { kind: 'paga-graph', label: 'PAGA graph of the groups', word: 'PAGA graph' },
  { kind: 'pseudotime-heatmap', label: 'Heatmap of genes', word: 'heatmap' },
  { kind: 'pseudotime-curve', label: 'Curves of genes', word: 'curves' },
] as const;

function TrajectoryPanel({ answer }: FigurePanelProps<TrajectoryAnswer>) {
  const { save, preparing } = useSaveResult();
  // Without an embedding the first two have nothing to lie on.
  const offered = answer.source.content.kind === 'pseudotime-umap' ? kinds : kinds.slice(2);
  return (
    <FigureChoice figures={figuresOfKinds(offered, answer.source, `, from ${answer.root.barcode}`)}>
      <Button
        variant="secondary"
        size="sm"
        disabled={preparing}
        onClick={() =>
          save({
            name: 'pseudotime_cells.csv',
            what: 'CSV',
            file: () => new Blob([answer.cells_csv], { type: 'text/csv;charset=utf-8' }),
          })
        }
      >
        <Download aria-hidden />
        Pseudotime of each cell, CSV
      </Button>
    </FigureChoice>
  );
}

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
  requestLine: (request, cells) => `${orderText(request)}, ${cells}: ${orderGraphText(request)}`,
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
