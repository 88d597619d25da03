import type { Embedding } from '@cellfolio/model';
import type { PointPlace } from './paint-points.ts';
import { paintPoints, type PixelImage } from './paint-points.ts';
import type { PixelPalette } from './pixel-palette.ts';

interface Ground {
  readonly palette: PixelPalette;
  readonly pixels: Uint8Array;
}

/** The panel is as wide as the numbers beside the colour bar leave it: a few widths serve all genes. */
const KEPT_GROUNDS = 4;

/** Pictures by their place, of 1.2 MB each at screen size; they go when the embedding does. */
const grounds = new WeakMap<Embedding, Map<string, Ground>>();

/**
 * Paints all cells of the embedding with one ink into an empty image. Every gene of a dataset lies on the same
 * ground, so the last ones are kept and copied: of a hundred thousand cells only the expressing ones are then
 * painted anew.
 */
export function paintCellGround(
  image: PixelImage,
  palette: PixelPalette,
  place: PointPlace,
  ink: number,
): void {
  const { embedding, spec, panel, scale } = place;
  const key = JSON.stringify([image.width, image.height, scale, panel, spec.extent, spec.pointRadius, ink]);
  const kept = grounds.get(embedding) ?? new Map<string, Ground>();
  grounds.set(embedding, kept);
  let ground = kept.get(key);
  if (ground?.palette !== palette) {
    ground = { palette, pixels: paintAll(image, palette, place, ink) };
    if (kept.size >= KEPT_GROUNDS) kept.delete(kept.keys().next().value!);
    kept.set(key, ground);
  }
  image.pixels.set(ground.pixels);
}

function paintAll(image: PixelImage, palette: PixelPalette, place: PointPlace, ink: number): Uint8Array {
  const cells = place.embedding.values.length / place.embedding.dimensions;
  const pixels = new Uint8Array(image.pixels.length);
  const order = Int32Array.from({ length: cells }, (_, cell) => cell);
  paintPoints({ ...image, pixels }, palette, { cellInk: new Uint8Array(cells).fill(ink), order }, place);
  return pixels;
}
