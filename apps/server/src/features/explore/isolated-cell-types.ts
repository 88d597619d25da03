import type { FigureContent, PlotIsolatedCellTypesAnswer } from '@cellfolio/contract';
import pMap from 'p-map';
import { figureAnswer, type FigureService, figuresAtOnce } from './figure-service.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/index.ts';

type CellTypePlot = PlotIsolatedCellTypesAnswer['plots'][number];

/** Chosen cell types in colour over the others, one figure each; and one of the chosen clusters. */
export class IsolatedCellTypes {
  readonly #figures: FigureService;

  constructor({ figures }: { figures: FigureService }) {
    this.#figures = figures;
  }

  /** Throws ApiFailure 400 for a cell type or cluster that the dataset does not have. */
  async plot(
    selection: Selection,
    request: { cellTypes: readonly string[]; clusters: readonly string[] },
    waiting: Waiting,
  ): Promise<PlotIsolatedCellTypesAnswer> {
    const cellTypes = [...new Set(request.cellTypes)];
    const clusters = [...new Set(request.clusters)];
    const total = cellTypes.length + (clusters.length > 0 ? 1 : 0);
    let done = 0;
    const draw = async (content: FigureContent, name: string) => {
      const figure = await this.#figures.draw(selection, content, waiting);
      waiting.onProgress({ stage: `Drew ${name}`, done: ++done, total });
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
}

function highlightedCells(spec: Record<string, unknown>): number {
  const groups = spec['groups'] as readonly { cells: number }[];
  return groups.reduce((sum, { cells }) => sum + cells, 0);
}
