import type {
  GenePlot,
  PlotUmapWithGenesAnswer,
  FigureContent,
  PlotIsolatedCellTypesAnswer,
  PlotCellStateAnswer,
  PlotSignatureAnswer,
} from '@cellfolio/contract';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import type { ScoreChoice } from '@cellfolio/figures';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { figureAnswer, type FigureService, figuresAtOnce } from './figures.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { lookUpGenes, noGenesFound } from '../catalogue/index.ts';
import type { Selection } from '../selection/index.ts';
import { originOf } from '../gene-sets/index.ts';
import { type NamedScore, type NamedScores, shownOf, unnamedScore } from '../scores/index.ts';

/**
 * The UMAP of each gene and, if requested, its violins, encoded one by one. Lists the genes that the dataset does not
 * have; throws ApiFailure 422 when it has none of them.
 */
export async function plotGenes(
  { datasets, figures }: { datasets: Pick<OpenDatasets, 'get'>; figures: FigureService },
  selection: Selection,
  { genes, violins }: { genes: readonly string[]; violins: boolean },
  call: CallContext,
): Promise<GenePlots> {
  const { genes: index } = await datasets.get(selection.manifest);
  const { matches, missing, renamed } = lookUpGenes(index, genes);
  if (matches.length === 0) throw noGenesFound('the list', missing);
  const plotSpecs = matches.flatMap(({ symbol: gene }) => {
    const umap = { gene, type: 'umap', content: { kind: 'gene-umap', gene } } as const;
    const violin = { gene, type: 'violin', content: { kind: 'gene-violin', gene } } as const;
    return violins ? [umap, violin] : [umap];
  });
  let done = 0;
  const plotOf = async ({ gene, type, content }: (typeof plotSpecs)[number]): Promise<() => GenePlot> => {
    const figure = await figures.draw(selection, content, call);
    call.onProgress({ stage: `Drew ${gene}`, done: ++done, total: plotSpecs.length });
    return () => ({ gene, plot_type: type, ...figureAnswer(selection, content, figure) });
  };
  const plots = await pMap(plotSpecs, plotOf, figuresAtOnce);
  return {
    plots,
    found_genes: matches.map(({ symbol }) => symbol),
    not_found_genes: [...missing],
    renamed_genes: [...renamed],
  };
}

type GenePlots = Omit<PlotUmapWithGenesAnswer, 'plots'> & { plots: readonly (() => GenePlot)[] };

/**
 * The JSON of `PlotUmapWithGenesAnswer`, plot by plot: that of fifty genes has 10 MB, which would keep the main thread
 * from other calls.
 */
export async function* jsonOf({ plots, ...rest }: GenePlots): AsyncGenerator<Uint8Array> {
  let before = `${JSON.stringify(rest).slice(0, -1)},"plots":[`;
  for (const plot of plots) {
    yield Buffer.from(before + JSON.stringify(plot()));
    before = ',';
    await setImmediate();
  }
  yield Buffer.from(']}');
}

type CellTypePlot = PlotIsolatedCellTypesAnswer['plots'][number];

/**
 * One figure for each chosen cell type in colour over the others, and one for the chosen clusters. Throws ApiFailure
 * 400 for a cell type or cluster that the dataset does not have.
 */
export async function plotIsolatedCellTypes(
  { figures }: { figures: FigureService },
  selection: Selection,
  request: { cellTypes: readonly string[]; clusters: readonly string[] },
  call: CallContext,
): Promise<PlotIsolatedCellTypesAnswer> {
  const cellTypes = [...new Set(request.cellTypes)];
  const clusters = [...new Set(request.clusters)];
  const total = cellTypes.length + (clusters.length > 0 ? 1 : 0);
  let done = 0;
  const draw = async (content: FigureContent, name: string) => {
    const figure = await figures.draw(selection, content, call);
    call.onProgress({ stage: `Drew ${name}`, done: ++done, total });
    return { ...figureAnswer(selection, content, figure), cellCount: highlightedCells(figure.spec) };
  };
  const plotOf = async (cellType: string): Promise<CellTypePlot> => {
    const { cellCount, ...figure } = await draw(
      { kind: 'highlight-umap', of: 'cell-type', cell_type: cellType },
      cellType,
    );
    return { cell_type: cellType, cell_count: cellCount, ...figure };
  };
  const [plots, cluster] = await Promise.all([
    pMap(cellTypes, plotOf, figuresAtOnce),
    clusters.length > 0
      ? draw({ kind: 'highlight-umap', of: 'cluster', leiden_clusters: clusters }, 'the clusters')
      : null,
  ]);
  return {
    cell_types: cellTypes,
    plots,
    leiden_cluster_image: cluster?.image ?? null,
    leiden_cluster_figure: cluster?.figure ?? null,
    leiden_cluster_source: cluster?.source ?? null,
  };
}

function highlightedCells(spec: Record<string, unknown>): number {
  const groups = spec['groups'] as readonly { cells: number }[];
  return groups.reduce((sum, { cells }) => sum + cells, 0);
}

interface ScorePlotDeps {
  figures: FigureService;
  scores: NamedScores;
}

export async function plotSignature(
  deps: ScorePlotDeps,
  selection: Selection,
  request: { genes: string[]; name: string; violins: boolean },
  call: CallContext,
): Promise<PlotSignatureAnswer> {
  const { genes, violins } = request;
  const choice = { of: 'signature', score_name: request.name || unnamedScore, genes } as const;
  const score = await deps.scores.of(selection, choice, call);
  const answer = await plotScore(deps.figures, selection, { choice, score, violins }, call);
  return { ...answer, score_name: choice.score_name };
}

export async function plotCellState(
  deps: ScorePlotDeps,
  selection: Selection,
  request: { cellState: string; minimumGenes: number; violins: boolean },
  call: CallContext,
): Promise<PlotCellStateAnswer> {
  const { cellState, minimumGenes, violins } = request;
  const scoreRequest = { of: 'cell-state', cell_state: cellState, minimum_genes: minimumGenes } as const;
  const score = await deps.scores.of(selection, scoreRequest, call);
  const choice = { ...scoreRequest, cell_state: score.title };
  return {
    ...(await plotScore(deps.figures, selection, { choice, score, violins }, call)),
    cell_state: score.title,
    minimum_genes: minimumGenes,
    library: originOf(score.library!),
  };
}

async function plotScore(
  figures: FigureService,
  selection: Selection,
  { choice, score, violins }: { choice: ScoreChoice; score: NamedScore; violins: boolean },
  call: CallContext,
): Promise<Omit<PlotSignatureAnswer, 'score_name'>> {
  const types = violins ? (['umap', 'violin'] as const) : (['umap'] as const);
  call.onProgress({ stage: `Drawing ${score.title}`, done: 0, total: types.length });
  const plotOf = async (type: GenePlot['plot_type']): Promise<GenePlot> => {
    const content: FigureContent = { kind: `score-${type}`, ...choice };
    const figure = await figures.draw(selection, content, call, { score: shownOf(score) });
    return { gene: score.title, plot_type: type, ...figureAnswer(selection, content, figure) };
  };
  return {
    plots: await Promise.all(types.map(plotOf)),
    found_genes: [...score.symbols],
    not_found_genes: [...score.missing],
    control_gene_count: score.controlCount,
    warnings: [...score.cautions],
  };
}
