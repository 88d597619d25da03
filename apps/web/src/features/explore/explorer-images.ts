import type {
  AnnotationRevision,
  DatasetAnalysis,
  FigureContent,
  FigureSource,
  FilterRequest,
  GenePlot,
  PlotIsolatedCellTypesAnswer,
  PlotUmapWithGenesAnswer,
} from '@cellfolio/contract';
import { annotationsIn } from '@cellfolio/contract';
import type { GroupedBy } from '@cellfolio/figures/content';
import { describeFigure, plotShape } from '@cellfolio/figures/content';
import { useEffect, useRef } from 'react';
import type { GeneratedImage, ImageIdentity, ImageLibrary, LibraryImage } from '@/features/images/index.ts';
import { defaultCard } from '@/features/map/index.ts';
import { normalFilter, sameCells } from '@/features/subsets/index.ts';
import type { DrawnContent } from './panels/plot-calls.ts';
import { type GeneratedCount, placeText } from './panels/run-outcome.tsx';

export type PlotKind = 'umap' | 'violin';

export interface ImageScope {
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /** The filter of the subset; `null` for the whole dataset. */
  filter: FilterRequest | null;
  /** Cells of the subset counted by the server; `null` if not counted. */
  cellCount: number | null;
  version: string;
  groupedBy: GroupedBy;
  /** Title of the embedding used for its figures, once known. */
  map?: string | undefined;
  /** The user's own columns that figures may name, at their current revisions. */
  annotations: readonly AnnotationRevision[];
  /** A source with the current orders and colours of categories. */
  displayed: (source: FigureSource) => FigureSource;
}

export const globalGroup = 'Global';

export const defaultContent: FigureContent = { kind: 'category-umap' };

/** Why a dataset has no UMAP; undefined if it has one. */
export function missingMap({ warnings, processing }: DatasetAnalysis): string | undefined {
  const none = warnings.some(({ code }) => code === 'no-embedding');
  if (!none || processing?.computed.includes('embedding')) return undefined;
  return 'This dataset has no UMAP, so there is no map to draw on. Markers and enrichment work without one.';
}

/** The UMAP of the whole dataset, coloured by cell type or cluster: always in the library. */
export function defaultImage(
  {
    datasetName,
    diseaseName,
    groupedBy,
    map,
  }: Pick<ImageScope, 'datasetName' | 'diseaseName' | 'groupedBy' | 'map'>,
  imageUrl: string,
  createdAt: number,
  missing: string | undefined,
  cellCount: number,
): LibraryImage {
  return {
    datasetName,
    diseaseName,
    subsetGroupName: globalGroup,
    id: defaultCard,
    ...describeFigure(defaultContent, groupedBy, [], map),
    imageUrl,
    missing,
    plotKind: 'umap',
    cellCount,
    source: { dataset_filename: datasetName, content: defaultContent },
    createdAt,
    saveState: 'yes',
  };
}

/** The identity of an image with this content, for the duplicate guard. */
export function identityOf(scope: ImageScope, content: FigureContent): ImageIdentity {
  const { title, type } = describeFigure(content, scope.groupedBy, scope.annotations);
  const subset = scope.filter && normalFilter(scope.filter);
  const annotations = annotationsIn(scope.annotations, content, subset);
  return {
    title,
    type,
    plotKind: plotShape(content),
    ...namesOf(scope),
    source: scope.displayed({
      dataset_filename: scope.datasetName,
      version: scope.version,
      ...(subset && { subset }),
      ...(annotations.length > 0 && {
        annotations: annotations.map(({ id, revision, name }) => ({ id, revision, name })),
      }),
      content,
    }),
  };
}

/** A drawn figure as an image of the library; `figure` is its spec, if any. */
export function drawnImage(
  scope: ImageScope,
  source: FigureSource,
  imageUrl: string,
  figure: Readonly<Record<string, unknown>> = {},
): GeneratedImage {
  return {
    ...describeFigure(source.content, scope.groupedBy, source.annotations, scope.map),
    plotKind: plotShape(source.content),
    ...namesOf(scope),
    source,
    cellCount: cellCountOf(scope, source, figure),
    imageUrl,
  };
}

/** From the spec of a UMAP; that of a violin has no count, so the server's count for the same filter is used. */
function cellCountOf(
  scope: ImageScope,
  source: FigureSource,
  { counts }: Readonly<Record<string, unknown>>,
): number | null {
  const counted = (counts as { cells?: unknown } | undefined)?.cells;
  if (typeof counted === 'number') return counted;
  return sameCells(source.subset, scope.filter ?? undefined) ? scope.cellCount : null;
}

function geneContents(genes: readonly string[], kinds: readonly PlotKind[]): FigureContent[] {
  return genes.flatMap((gene) => kinds.map((kind) => geneContent(gene, kind)));
}

export function geneContent(gene: string, kind: PlotKind): FigureContent {
  return { kind: kind === 'umap' ? 'gene-umap' : 'gene-violin', gene };
}

function genePlotImages(scope: ImageScope, plots: readonly GenePlot[]): GeneratedImage[] {
  return plots.map(({ source, image, figure }) => drawnImage(scope, source, image.value, figure));
}

function cellTypeImages(scope: ImageScope, answer: PlotIsolatedCellTypesAnswer): GeneratedImage[] {
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

/**
 * The panels' access to the library (find, add, show) for the active cells. `isCurrent` asks whether the server still
 * has the open version of the dataset.
 */
export function useExplorerImages(
  library: ImageLibrary,
  scope: ImageScope,
  isCurrent: () => Promise<boolean>,
) {
  // A run ends with the values of the render it started in; the ref has the current library.
  const latest = useRef(library);
  useEffect(() => {
    latest.current = library;
  }, [library]);

  const find = (content: FigureContent) => latest.current.find(identityOf(scope, content));
  const has = (content: FigureContent) => library.find(identityOf(scope, content)) !== undefined;
  /** Which of these the library has for the current dataset version: none if it was replaced. */
  const existing = async (contents: readonly FigureContent[]) => {
    const isReplaced = contents.some(has) && !(await isCurrent());
    return isReplaced ? () => false : has;
  };
  const show = (contents: readonly FigureContent[]) => {
    const ids = contents.flatMap((content) => find(content)?.id ?? []);
    latest.current.show(ids);
    return placeText(ids.length);
  };
  /** @param requested also shown where the library has them already */
  const take = (
    images: readonly GeneratedImage[],
    requested: readonly FigureContent[] = [],
  ): GeneratedCount => {
    const fresh = images.filter((image) => latest.current.find(image) === undefined);
    // Existing images are shown instead of stored twice.
    if (fresh.length === 0)
      latest.current.show(images.flatMap((image) => latest.current.find(image)?.id ?? []));
    return latest.current.add(
      fresh,
      requested.flatMap((content) => find(content)?.id ?? []),
    );
  };

  return {
    take,
    gene: {
      existing: async (genes: readonly string[], kinds: readonly PlotKind[]) => {
        const exists = await existing(geneContents(genes, kinds));
        return (gene: string, kind: PlotKind) => exists(geneContent(gene, kind));
      },
      onGenerated: (
        { plots }: PlotUmapWithGenesAnswer,
        genes: readonly string[],
        kinds: readonly PlotKind[],
      ) => take(genePlotImages(scope, plots), geneContents(genes, kinds)),
      onExisting: (genes: readonly string[], kinds: readonly PlotKind[]) => show(geneContents(genes, kinds)),
    },
    content: {
      existing,
      sourceOf: (content: FigureContent): FigureSource => identityOf(scope, content).source!,
      onGenerated: (figures: readonly DrawnContent[], requested: readonly FigureContent[]) =>
        take(
          figures.map(({ source, imageUrl }) => drawnImage(scope, source, imageUrl)),
          requested,
        ),
      onExisting: show,
    },
    score: {
      onGenerated: ({ plots }: { plots: readonly GenePlot[] }) => take(genePlotImages(scope, plots)),
    },
    cellType: {
      existing: async (cellTypes: readonly string[], clusters: readonly string[]) => {
        const exists = await existing([...cellTypes.map(cellTypeContent), clusterContent(clusters)]);
        return {
          cellType: (name: string) => exists(cellTypeContent(name)),
          clusters: (names: readonly string[]) => exists(clusterContent(names)),
        };
      },
      onGenerated: (answer: PlotIsolatedCellTypesAnswer) => take(cellTypeImages(scope, answer)),
      onExisting: (cellTypes: readonly string[], clusters: readonly string[]) =>
        show([...cellTypes.map(cellTypeContent), ...(clusters.length > 0 ? [clusterContent(clusters)] : [])]),
    },
  };
}

function cellTypeContent(cell_type: string): FigureContent {
  return { kind: 'highlight-umap', of: 'cell-type', cell_type };
}

function clusterContent(clusters: readonly string[]): FigureContent {
  return { kind: 'highlight-umap', of: 'cluster', leiden_clusters: [...clusters] };
}

/** Cell types, else clusters, which are never labelled as cell types. */
export function groupedByOf({
  cell_types,
  leiden_clusters,
}: Pick<DatasetAnalysis, 'cell_types' | 'leiden_clusters'>): GroupedBy {
  if (cell_types.length > 0) return 'cell type';
  return leiden_clusters.length > 0 ? 'cluster' : 'none';
}
