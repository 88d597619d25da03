import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { columnTitle, csvComments, type TrajectoryAnswer } from '@cellfolio/contract';
import { countText, expressionUnit, noteLines, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { graphWords } from '../cell-graph/index.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import { geneColumns } from './gene-tasks.ts';
import type { Trajectories, Trajectory } from './trajectories.ts';

export interface TrajectoryAnalysisDeps {
  figures: FigureService;
  trajectories: Trajectories;
}

export async function analyseTrajectory(
  { figures, trajectories }: TrajectoryAnalysisDeps,
  selection: Selection,
  request: TrajectoryParameters,
  call: CallContext,
): Promise<TrajectoryAnswer> {
  const result = await trajectories.run(selection, request, call);
  const { parameters, ordered, table, cautions } = result;
  call.onProgress({ stage: 'Drawing pseudotime', done: 0, total: 1 });
  const kind = selection.manifest.roles.embedding === undefined ? 'pseudotime-heatmap' : 'pseudotime-umap';
  const content = { kind, ...parameters } as const;
  const trajectory = trajectoryOf(selection, result);
  const figure = await figures.draw(selection, content, call, { trajectory });
  const comments = csvComments(headLines(selection, result));
  return {
    genes_csv: `${comments}${csvLine(geneColumns)}${table.rows}`,
    cells_csv: `${comments}${csvLine(['barcode', parameters.groupby, 'pseudotime'])}${ordered.rows}`,
    ...figureFields('figure', figure),
    source: sourceOf(selection, content),
    parameters,
    group_title: columnTitle(parameters.groupby, selection.own),
    root: {
      barcode: ordered.root.barcode,
      group: ordered.root.group,
      how: rootWords(parameters),
      tip_share: ordered.root.tipShare,
    },
    neighbors: neighbourWords(result),
    cells: {
      analysed: result.cells.analysed,
      reached: ordered.reached,
      without_components: result.cells.without,
      parts: ordered.parts,
    },
    eigenvalues: [...ordered.eigenvalues],
    groups: ordered.groups.map(({ name, cells, reached, quartiles }) => {
      const [first, median, third] = quartiles.map((time) => (Number.isNaN(time) ? null : time));
      return {
        name,
        cells,
        reached,
        first_quartile: first ?? null,
        median: median ?? null,
        third_quartile: third ?? null,
      };
    }),
    connectivities: connectivitiesOf(ordered),
    genes: { tested: table.tested, rising: table.rising, falling: table.falling },
    ...notesOf(selection, cautions),
  };
}

function rootWords({ root }: TrajectoryParameters): string {
  if (root.by === 'cell') return 'the cell that was chosen';
  const tip = 'farthest from the mean of all in the diffusion components';
  return root.by === 'group'
    ? `the tip of the group ${root.group}, its cell ${tip}`
    : `the tip that was suggested, the cell ${tip}`;
}

function neighbourWords({ graphSource }: Pick<Trajectory, 'graphSource'>): string {
  const weights = graphSource.of === 'file' ? 'with the weights of the file' : 'weighted as in UMAP';
  return `${graphWords(graphSource, true)}, ${weights}`;
}

function connectivitiesOf({ graph, groups }: Trajectory['ordered']): TrajectoryAnswer['connectivities'] {
  const inTree = new Set(graph.tree.map(([i, j]) => `${Math.min(i, j)} ${Math.max(i, j)}`));
  const connectivities = groups.flatMap(({ name }, i) =>
    groups.slice(i + 1).map((other, at) => {
      const j = i + 1 + at;
      return {
        groups: [name, other.name] as [string, string],
        connectivity: graph.connectivities[i * groups.length + j]!,
        in_tree: inTree.has(`${i} ${j}`),
      };
    }),
  );
  return connectivities
    .filter(({ connectivity }) => connectivity > 0)
    .toSorted((one, other) => other.connectivity - one.connectivity);
}

function headLines(selection: Selection, trajectory: Trajectory): string[] {
  const { parameters, ordered, cells, order, cautions } = trajectory;
  const { barcode, group } = ordered.root;
  return [
    ...definitionLines(selection, { call: 'perform-trajectory-analysis', parameters }),
    `Order: diffusion pseudotime as scanpy's tl.dpt has it, ${parameters.n_dcs} components, over the connected part with the root; 0 is the root, 1 the farthest of ${countText(ordered.reached)} of ${countText(cells.analysed)} cells`,
    `Root: ${barcode}${group === '' ? '' : ` (${group})`}: ${rootWords(parameters)}`,
    `Graph: ${neighbourWords(trajectory)}`,
    `Genes: Spearman's correlation with pseudotime over the cells with one, p-values of Student's t, adjusted by Benjamini and Hochberg over the genes that vary; pct_nz is the share of cells with a value other than 0, peak the mean pseudotime of the bin with the greatest mean, of ${order.sizes.length} bins of equal numbers of cells`,
    ...noteLines(cautions),
  ];
}

type TrajectoryPlotInput = Extract<PlotInput, { from: 'trajectory' }>;

export function trajectoryInputs({ trajectories }: { trajectories: Trajectories }) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters }: TrajectoryPlotInput,
      call: CallContext,
    ): Promise<InputValues['trajectory']> {
      return trajectoryOf(selection, await trajectories.run(selection, parameters, call));
    },
  };
}

function trajectoryOf(
  { manifest, own }: Selection,
  { parameters, ordered, cells, order, heatmap, curves, cautions }: Trajectory,
): InputValues['trajectory'] {
  return {
    pseudotime: ordered.pseudotime,
    root: ordered.root,
    cells: { analysed: cells.analysed, reached: ordered.reached },
    groupTitle: columnTitle(parameters.groupby, own),
    groups: ordered.groups.map(({ name }) => name),
    graph: ordered.graph,
    bins: order,
    heatmap,
    curves,
    unit: expressionUnit(manifest.expression),
    cautions: resultNotes(cautions).warnings,
  };
}
