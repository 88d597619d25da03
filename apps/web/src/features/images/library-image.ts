import type { FigureSource } from '@cellfolio/contract';
import { type ImageType, picturedContent, clustersTitle } from '@cellfolio/plots/content';
import { useCategoryNames } from '@/features/category-displays/index.ts';

/** The identity of an image, which the duplicate guard compares. */
export interface ImageIdentity {
  title: string;
  type: ImageType;
  plotKind: 'umap' | 'violin';
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /**
   * What the image was drawn from, where it is known. Two images with a source are the same only if their sources
   * show the same kind of thing on the same cells: a subset keeps its name when its filter is changed.
   */
  source?: FigureSource | null | undefined;
}

/** Texts of an image beyond its identity. */
interface ImageText {
  subtitle: string;
  /** Cells of the subset when it was drawn; `null` where that is not known, as of older images. */
  cellCount?: number | null | undefined;
}

/** A drawn figure to add to the library. */
export interface GeneratedImage extends ImageIdentity, ImageText {
  /** A PNG as a data URL. */
  imageUrl: string;
}

/** An image of the library. Its file is kept apart from it: see `stored-image-file.ts`. */
export interface LibraryImage extends ImageIdentity, ImageText {
  id: string;
  /** An address of the default image; `null` for the others, whose file is asked for when it is shown. */
  imageUrl: string | null;
  /** Why there is no such image and will be none, in words. */
  missing?: string | undefined;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether the user's library on the server has it. */
  kept: 'yes' | 'saving' | 'failed';
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

function sameSource(a: ImageIdentity['source'], b: ImageIdentity['source']): boolean {
  if (!a || !b) return true;
  return a.content.kind === b.content.kind && canonical(shownBy(a)) === canonical(shownBy(b));
}

function shownBy({ version, subset, annotations = [], content }: FigureSource) {
  return { version, subset, annotations, content: picturedContent(content) };
}

/** The same text for the same value, whatever order its keys came in: a database may order them anew. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** CSS pixels of the narrowest card in a row, and between two. */
const cardWidth = 176;
const cardGap = 8;

export const maxInViewer = 4;
export const imagesPerPage = 4;
/**
 * How many generated images are kept for a user, the default image not among them. The database keeps as many
 * (`keep_newest_images` in `supabase/migrations`), or the page would lose what it shows.
 */
export const maxGenerated = 30;

/** Newest first; of two of the same moment, in the order of their ids, so that every device shows one order. */
export function newestFirst(images: readonly LibraryImage[]): LibraryImage[] {
  return images.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** The newest up to four of the dataset of the default image, which counts as the oldest of all. */
export function newestInViewer(generated: readonly LibraryImage[], standing: LibraryImage): string[] {
  const here = generated.filter((image) => sameDataset(image, standing));
  return [...here, standing].slice(0, maxInViewer).map(({ id }) => id);
}

export function sameDataset(a: LibraryImage, b: LibraryImage): boolean {
  return a.datasetName === b.datasetName && a.diseaseName === b.diseaseName;
}

/** Pages of four, of which the last shows the last image; `shown` images are shown at a time, four at least. */
export function pageCount(imageCount: number, shown = imagesPerPage): number {
  return 1 + Math.max(0, Math.ceil((imageCount - shown) / imagesPerPage));
}

/**
 * How many whole cards stand side by side in a width in CSS pixels: a page of four, or more where half a page more fits.
 * A fifth card alone would be bought with the titles of the four.
 */
export function cardsThatFit(width: number): number {
  const fit = Math.floor((width + cardGap) / (cardWidth + cardGap));
  return fit < 1.5 * imagesPerPage ? imagesPerPage : fit;
}

/** A page number within the pages that there are. */
export function withinPages(page: number, imageCount: number): number {
  return Math.min(Math.max(0, page), pageCount(imageCount) - 1);
}

/** One more in the viewer, where there is room. */
export function select(viewer: readonly string[], id: string): readonly string[] {
  return viewer.includes(id) || viewer.length >= maxInViewer ? viewer : [...viewer, id];
}

/** These first, then as many of the others as there is room for. */
export function bringToFront(viewer: readonly string[], ids: readonly string[]): string[] {
  return [...new Set([...ids, ...viewer])].slice(0, maxInViewer);
}

/** The viewer with the card at one place moved to another. */
export function reorder(viewer: readonly string[], from: number, to: number): readonly string[] {
  const moved = viewer[from];
  if (moved === undefined || to < 0 || to >= viewer.length) return viewer;
  return viewer.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** What an image is called on the page: one of chosen categories by what its user calls these. */
export function useImageTitle({ title, source }: Pick<LibraryImage, 'title' | 'source'>): string {
  const { cellType, cluster } = useCategoryNames(source?.dataset_filename);
  const content = source?.content;
  if (content?.kind !== 'highlight-umap') return title;
  if (content.of === 'cell-type') return cellType(content.cell_type);
  return clustersTitle(content.leiden_clusters.map(cluster));
}
