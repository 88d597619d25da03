import type { LibraryImage } from './library-image.ts';

/** CSS pixels of the narrowest card in a row, and between two. */
const cardWidth = 176;
const cardGap = 8;

export const maxInViewer = 4;
export const imagesPerPage = 4;
/** How many generated images are kept for a user, the default image not among them. */
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
