import type {
  DatasetAnalysis,
  FigureContent,
  FigureSource,
  FilterRequest,
  GenePlot,
  PlotIsolatedCellTypesAnswer,
} from '@cellfolio/contract';
import { normalFilter, sameCells } from '@/features/cell-subsets/filter-payload.ts';
import { clustersTitle } from '@/features/cell-type-visualization/clusters-title.ts';
import type { PlotKind } from '@/features/gene-visualization/plan-gene-plots.ts';
import type { GroupedBy } from '@/features/datasets/grouped-by.ts';
import type { GeneratedImage, ImageIdentity, LibraryImage } from '@/features/image-library/library-image.ts';

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

const defaultTitles: Record<GroupedBy, string> = {
  'cell type': 'Cell types',
  cluster: 'Clusters',
  none: 'All cells',
};

/** The name of the whole dataset among subsets. */
export const globalGroup = 'Global';

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
    title: defaultTitles[groupedBy],
    subtitle: 'Full dataset UMAP',
    imageUrl,
    missing,
    type: 'default',
    plotKind: 'umap',
    cellCount,
    source: { dataset_filename: datasetName, content: { kind: 'default-umap' } },
    createdAt,
    kept: 'yes',
  };
}

/** What an image of this content is known by: the duplicate guard looks for it. */
export function identityOf(scope: ImageScope, content: FigureContent): ImageIdentity {
  return {
    ...describe(content, scope),
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
    ...describe(source.content, scope),
    ...namesOf(scope),
    source,
    subtitle: subtitleOf(source.content, scope),
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

/** Title, type and kind of plot of a content. */
function describe(
  content: FigureContent,
  { groupedBy }: Pick<ImageScope, 'groupedBy'>,
): Pick<ImageIdentity, 'title' | 'type' | 'plotKind'> {
  const plotKind = content.kind.endsWith('-violin') ? 'violin' : 'umap';
  switch (content.kind) {
    case 'default-umap':
      return { title: defaultTitles[groupedBy], type: 'default', plotKind };
    case 'gene-umap':
    case 'gene-violin':
      return { title: content.gene, type: 'gene', plotKind };
    case 'signature-umap':
    case 'signature-violin':
      return { title: content.score_name, type: 'gene', plotKind };
    case 'cell-state-umap':
    case 'cell-state-violin':
      return { title: content.cell_state, type: 'gene', plotKind };
    case 'cell-type-umap':
      return { title: content.cell_type, type: 'cellType', plotKind };
    case 'cluster-umap':
      return { title: clustersTitle(content.leiden_clusters), type: 'leiden', plotKind };
    case 'marker-dot-plot':
      return { title: 'Marker genes', type: 'gene', plotKind };
    case 'enrichment-bar-plot':
      return { title: 'Gene set enrichment', type: 'gene', plotKind };
  }
}

const subtitles: Record<FigureContent['kind'], string> = {
  'default-umap': 'Full dataset UMAP',
  'gene-umap': 'Expression UMAP',
  'gene-violin': 'Expression',
  'signature-umap': 'Signature score UMAP',
  'signature-violin': 'Signature score',
  'cell-state-umap': 'Cell state UMAP',
  'cell-state-violin': 'Cell state',
  'cell-type-umap': 'Cell type UMAP',
  'cluster-umap': 'Leiden cluster UMAP',
  'marker-dot-plot': 'Dot plot',
  'enrichment-bar-plot': 'Bar plot',
};

function subtitleOf({ kind }: FigureContent, { groupedBy }: Pick<ImageScope, 'groupedBy'>): string {
  if (!kind.endsWith('-violin')) return subtitles[kind];
  return `${subtitles[kind]} ${groupedBy === 'none' ? 'of all cells' : `by ${groupedBy}`}`;
}
