import type {
  DatasetAnalysis,
  FigureContent,
  FigureSource,
  FilterRequest,
  GenePlot,
  PlotIsolatedCellTypesAnswer,
} from '@cellfolio/contract';
import { describeFigure, plotShape } from '@cellfolio/plots/content';
import type { GroupedBy } from '@cellfolio/plots/content';
import type { GeneratedImage, ImageIdentity, LibraryImage } from '@/features/images/index.ts';
import { normalFilter, sameCells } from '@/features/subsets/index.ts';
import type { PlotKind } from './panels/plan-gene-plots.ts';

/** The cells that images are of: dataset, disease and subset. */
export interface ImageScope {
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /** The filter of the subset; `null` for the whole dataset. */
  filter: FilterRequest | null;
  /** Cells of the subset as the server counted them; `null` where it did not. */
  cellCount: number | null;
  /** Of the dataset. */
  version: string;
  groupedBy: GroupedBy;
}

/** The name of the whole dataset among subsets. */
export const globalGroup = 'Global';

/** The figure of the whole dataset. */
export const defaultContent: FigureContent = { kind: 'category-umap' };

/** Why a dataset has no UMAP; undefined where it has one. */
export function missingMap({ warnings, processing }: DatasetAnalysis): string | undefined {
  const none = warnings.some(({ code }) => code === 'no-embedding');
  if (!none || processing?.computed.includes('embedding')) return undefined;
  return 'This dataset has no UMAP, so there is no map to draw on. Markers and enrichment need none.';
}

/** The UMAP of the whole dataset, coloured by cell type or cluster: always in the library. */
export function defaultImage(
  { datasetName, diseaseName, groupedBy }: Pick<ImageScope, 'datasetName' | 'diseaseName' | 'groupedBy'>,
  imageUrl: string,
  createdAt: number,
  missing: string | undefined,
  cellCount: number,
): LibraryImage {
  return {
    datasetName,
    diseaseName,
    subsetGroupName: globalGroup,
    id: 'default',
    ...describeFigure(defaultContent, groupedBy),
    imageUrl,
    missing,
    plotKind: 'umap',
    cellCount,
    source: { dataset_filename: datasetName, content: defaultContent },
    createdAt,
    kept: 'yes',
  };
}

/** What an image of this content is known by: the duplicate guard looks for it. */
export function identityOf(scope: ImageScope, content: FigureContent): ImageIdentity {
  const { title, type } = describeFigure(content, scope.groupedBy);
  return {
    title,
    type,
    plotKind: plotShape(content),
    ...namesOf(scope),
    source: {
      dataset_filename: scope.datasetName,
      version: scope.version,
      ...(scope.filter && { subset: normalFilter(scope.filter) }),
      content,
    },
  };
}

/** A drawn figure as an image of the library; `figure` is its spec, where it came with one. */
export function drawnImage(
  scope: ImageScope,
  source: FigureSource,
  imageUrl: string,
  figure: Readonly<Record<string, unknown>> = {},
): GeneratedImage {
  return {
    ...describeFigure(source.content, scope.groupedBy),
    plotKind: plotShape(source.content),
    ...namesOf(scope),
    source,
    cellCount: cellCountOf(scope, source, figure),
    imageUrl,
  };
}

/** By the spec of a UMAP; that of a violin does not say, so what the server counted for the same filter counts. */
function cellCountOf(
  scope: ImageScope,
  source: FigureSource,
  { counts }: Readonly<Record<string, unknown>>,
): number | null {
  const told = (counts as { cells?: unknown } | undefined)?.cells;
  if (typeof told === 'number') return told;
  return sameCells(source.subset, scope.filter ?? undefined) ? scope.cellCount : null;
}

export function geneContent(gene: string, kind: PlotKind): FigureContent {
  return { kind: kind === 'umap' ? 'gene-umap' : 'gene-violin', gene };
}

export function genePlotImages(scope: ImageScope, plots: readonly GenePlot[]): GeneratedImage[] {
  return plots.map(({ source, image, figure }) => drawnImage(scope, source, image.value, figure));
}

export function cellTypeImages(scope: ImageScope, answer: PlotIsolatedCellTypesAnswer): GeneratedImage[] {
  const types = answer.plots.map(({ source, image, figure }) =>
    drawnImage(scope, source, image.value, figure),
  );
  const {
    leiden_cluster_image: image,
    leiden_cluster_source: source,
    leiden_cluster_figure: figure,
  } = answer;
  return image && source ? [...types, drawnImage(scope, source, image.value, figure ?? {})] : types;
}

function namesOf({ datasetName, diseaseName, subsetGroupName }: ImageScope) {
  return { datasetName, diseaseName, subsetGroupName };
}
