import type { FigureSource } from '@cellfolio/contract';
import { clustersTitle, type ImageType, isLiveMap, picturedContent } from '@cellfolio/figures/content';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import type { KeptCells } from '@/features/map/index.ts';
import { sameCells } from '@/features/subsets/index.ts';
import { canonicalJson } from '@/lib/canonical-json.ts';

export interface OpenedDataset {
  filename: string;
  version: string;
}

export interface ImageIdentity {
  title: string;
  type: ImageType;
  plotKind: 'umap' | 'violin';
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /**
   * Content and cells from which the image was drawn, if known. Two images with a source are the same only if their
   * sources show the same kind of thing on the same cells: a subset keeps its name when its filter changes.
   */
  source?: FigureSource | null | undefined;
}

interface ImageText {
  subtitle: string;
  /** Cells of the subset at drawing time; `null` if unknown, as for older images. */
  cellCount?: number | null | undefined;
}

export interface GeneratedImage extends ImageIdentity, ImageText {
  imageUrl: string;
}

/** The file is stored separately: see `stored-image-file.ts`. */
export interface LibraryImage extends ImageIdentity, ImageText {
  id: string;
  /** URL of the default image; `null` for the others, whose file is loaded when shown. */
  imageUrl: string | null;
  /** Message that explains why the image does not exist and never will. */
  missing?: string | undefined;
  /** Set while it is shown on the cells that all maps keep, in place of its own. */
  onKeptCells?: true;
  /** Milliseconds since the epoch. */
  createdAt: number;
  saveState: 'yes' | 'saving' | 'failed';
}

export function sameImage(a: ImageIdentity, b: ImageIdentity): boolean {
  return (
    a.title === b.title &&
    a.type === b.type &&
    a.plotKind === b.plotKind &&
    a.datasetName === b.datasetName &&
    a.diseaseName === b.diseaseName &&
    a.subsetGroupName === b.subsetGroupName &&
    sameSource(a.source, b.source)
  );
}

/** Whether the image is a map of the cells of the open version of the open dataset. */
export function isMapOf({ source, missing }: LibraryImage, opened: OpenedDataset): boolean {
  if (!source || missing !== undefined || source.dataset_filename !== opened.filename) return false;
  // A figure of an older version shows other cells than the ones of today.
  return isLiveMap(source.content) && (source.version ?? opened.version) === opened.version;
}

/** The image on the cells that all maps keep, if it is a map of the open dataset that shows others. */
export function onKeptCells(
  image: LibraryImage,
  keptCells: KeptCells | null,
  opened: OpenedDataset,
): LibraryImage {
  const { source } = image;
  if (keptCells === null || !source || !isMapOf(image, opened) || sameCells(source.subset, keptCells.filter))
    return image;
  const { name, filter, cellCount } = keptCells;
  return {
    ...image,
    subsetGroupName: name,
    cellCount,
    source: { ...source, subset: filter },
    onKeptCells: true,
  };
}

function sameSource(a: ImageIdentity['source'], b: ImageIdentity['source']): boolean {
  if (!a || !b) return true;
  return a.content.kind === b.content.kind && canonicalJson(shownBy(a)) === canonicalJson(shownBy(b));
}

function shownBy({ version, subset, annotations = [], content }: FigureSource) {
  return { version, subset, annotations, content: picturedContent(content) };
}

/** CSS pixels of the narrowest card in a row, and of the gap between two. */
const cardWidth = 176;
const cardGap = 8;

export const imagesPerPage = 4;
/**
 * Maximum number of generated images per user, excluding the default image. The database has the same limit
 * (`keep_newest_images` in `supabase/migrations`), or the page would lose what it shows.
 */
export const maxGenerated = 30;

/** Ties are ordered by id, so that every device shows the same order. */
export function newestFirst(images: readonly LibraryImage[]): LibraryImage[] {
  return images.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** Ids of the newest images of the default image's dataset; the default image counts as the oldest. */
export function newestInViewer(
  generated: readonly LibraryImage[],
  standing: LibraryImage,
  max: number,
): string[] {
  const here = generated.filter((image) => sameDataset(image, standing));
  return [...here, standing].slice(0, max).map(({ id }) => id);
}

export function sameDataset(a: LibraryImage, b: LibraryImage): boolean {
  return a.datasetName === b.datasetName && a.diseaseName === b.diseaseName;
}

/**
 * Number of pages of four, the last of which shows the last image; `shown` images (at least four) are visible at a
 * time.
 */
export function pageCount(imageCount: number, shown = imagesPerPage): number {
  return 1 + Math.max(0, Math.ceil((imageCount - shown) / imagesPerPage));
}

/**
 * Number of whole cards that fit a width in CSS pixels: a page of four, or more if half a page more fits. A single
 * fifth card would cost the titles of the four.
 */
export function cardsThatFit(width: number): number {
  const fit = Math.floor((width + cardGap) / (cardWidth + cardGap));
  return fit < 1.5 * imagesPerPage ? imagesPerPage : fit;
}

export function withinPages(page: number, imageCount: number): number {
  return Math.min(Math.max(0, page), pageCount(imageCount) - 1);
}

export function select(viewer: readonly string[], id: string, max: number): readonly string[] {
  return viewer.includes(id) || viewer.length >= max ? viewer : [...viewer, id];
}

export function bringToFront(viewer: readonly string[], ids: readonly string[], max: number): string[] {
  return [...new Set([...ids, ...viewer])].slice(0, max);
}

export function reorder(viewer: readonly string[], from: number, to: number): readonly string[] {
  const moved = viewer[from];
  if (moved === undefined || to < 0 || to >= viewer.length) return viewer;
  return viewer.toSpliced(from, 1).toSpliced(to, 0, moved);
}

export function useImageTitle({ title, source }: Pick<LibraryImage, 'title' | 'source'>): string {
  const { cellType, cluster } = useCategoryNames(source?.dataset_filename);
  const content = source?.content;
  if (content?.kind !== 'highlight-umap') return title;
  if (content.of === 'cell-type') return cellType(content.cell_type);
  return clustersTitle(content.leiden_clusters.map(cluster));
}
