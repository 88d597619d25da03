import type { Embedding } from '@cellfolio/model';
import type { ScatterSpec } from '../figure.ts';
import type { Rectangle } from '../scene/scene.ts';
import { type PixelPalette, coverageSteps } from './pixel-palette.ts';
import { type PointLayer, undrawnShade } from './point-layer.ts';

export interface PixelImage {
  width: number;
  height: number;
  /** One palette index per pixel, row-major. */
  pixels: Uint8Array;
}

/** Placement of an embedding's points. `panel` and the radius are in CSS pixels. */
export interface PointPlace {
  embedding: Embedding;
  spec: Pick<ScatterSpec, 'extent' | 'yDown' | 'pointRadius'>;
  panel: Rectangle;
  scale: number;
}

/**
 * Stamps the points of a layer into an indexed image. Both axes have the same scale, the cells are centred in the
 * panel, y points up unless `yDown` is set, and cells without finite coordinates or outside the extent are skipped.
 */
export function paintPoints(
  image: PixelImage,
  palette: PixelPalette,
  layer: Pick<PointLayer, 'cellInk' | 'order'>,
  place: PointPlace,
): void {
  const { spec, panel, scale } = place;
  const { pixels, width: stride } = image;
  const { values, dimensions } = place.embedding;
  const radius = spec.pointRadius * scale;
  const stamps = discStamps(radius, stride);
  const { order, cellInk } = layer;
  const { inkPlace, edge } = palette;

  const { extent } = spec;
  const pad = radius + 2;
  const [left, right] = extent.x;
  const [bottom, top] = extent.y;
  const spanX = right - left;
  const spanY = top - bottom;
  const roomX = panel.width * scale - 2 * pad;
  const roomY = panel.height * scale - 2 * pad;
  const unit = Math.min(spanX > 0 ? roomX / spanX : Infinity, spanY > 0 ? roomY / spanY : Infinity);
  // One cell, or all on one spot: any finite scale puts it in the middle.
  const perUnit = (Number.isFinite(unit) ? unit : 1) * phases;
  const perUnitUp = spec.yDown ? -perUnit : perUnit;
  const middleX = (left + right) / 2;
  const middleY = (bottom + top) / 2;
  const originX = (panel.x + panel.width / 2) * scale * phases;
  const originY = (panel.y + panel.height / 2) * scale * phases;

  for (let i = 0; i < order.length; i++) {
    const cell = order[i]!;
    const ink = cellInk[cell]!;
    if (ink === undrawnShade) continue;
    const across = values[cell * dimensions]!;
    const up = values[cell * dimensions + 1]!;
    // NaN lies nowhere, so it is passed over too.
    if (!(across >= left && across <= right && up >= bottom && up <= top)) continue;
    const x = originX + (across - middleX) * perUnit;
    const y = originY - (up - middleY) * perUnitUp;
    const quarterX = x | 0;
    const quarterY = y | 0;
    const { full, edge: partial, edgeQuarters } = stamps[((quarterY & 3) << 2) | (quarterX & 3)]!;
    const at = (quarterY >> 2) * stride + (quarterX >> 2);
    const solid = inkPlace[ink]!;
    for (let k = 0; k < full.length; k++) pixels[at + full[k]!] = solid;
    const rows = (ink * 3 - 1) * 256;
    for (let k = 0; k < partial.length; k++) {
      const pixel = at + partial[k]!;
      pixels[pixel] = edge[rows + edgeQuarters[k]! * 256 + pixels[pixel]!]!;
    }
  }
}

/** Points are placed to a quarter of a pixel in each direction: 16 stamps. */
const phases = 4;

interface Stamp {
  full: Int32Array;
  /** Partly covered pixels, with the number of quarters. */
  edge: Int32Array;
  edgeQuarters: Uint8Array;
}

/** Discs of `radius` pixels for each phase `(y * 4 + x)`, in an image of `stride` pixels per row. */
function discStamps(radius: number, stride: number): Stamp[] {
  const stamps: Stamp[] = [];
  for (let phase = 0; phase < phases * phases; phase++) {
    const centreX = ((phase % phases) + 0.5) / phases;
    const centreY = (Math.floor(phase / phases) + 0.5) / phases;
    const full: number[] = [];
    const edge: number[] = [];
    const edgeQuarters: number[] = [];
    const reach = Math.ceil(radius + 1);
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        const quarters = Math.round(coverage(x - centreX, y - centreY, radius) * coverageSteps);
        if (quarters === coverageSteps) full.push(y * stride + x);
        else if (quarters > 0) {
          edge.push(y * stride + x);
          edgeQuarters.push(quarters);
        }
      }
    }
    stamps.push({
      full: Int32Array.from(full),
      edge: Int32Array.from(edge),
      edgeQuarters: Uint8Array.from(edgeQuarters),
    });
  }
  return stamps;
}

/** Share of the unit square with its corner at (left, top) inside the disc around 0, from 8 x 8 samples. */
function coverage(left: number, top: number, radius: number): number {
  let inside = 0;
  for (let y = 0.5; y < 8; y++) {
    for (let x = 0.5; x < 8; x++) if ((left + x / 8) ** 2 + (top + y / 8) ** 2 <= radius * radius) inside++;
  }
  return inside / 64;
}

interface Ground {
  palette: PixelPalette;
  pixels: Uint8Array;
}

/** The panel's width depends on the colour bar's numbers: a few widths serve all genes. */
const keptGrounds = 4;

/** Cached backgrounds by place, 1.2 MB each at screen size; released with the embedding. */
const grounds = new WeakMap<Embedding, Map<string, Ground>>();

/**
 * Paints all cells of the embedding with one ink into an empty image. Every gene of a dataset has the same background,
 * so the latest ones are cached and copied: of a hundred thousand cells only the expressing ones are then painted
 * again.
 */
export function paintCellGround(
  image: PixelImage,
  palette: PixelPalette,
  place: PointPlace,
  ink: number,
): void {
  const { embedding, spec, panel, scale } = place;
  const { extent, yDown, pointRadius } = spec;
  const key = JSON.stringify([image.width, image.height, scale, panel, extent, yDown, pointRadius, ink]);
  const cached = grounds.get(embedding) ?? new Map<string, Ground>();
  grounds.set(embedding, cached);
  let ground = cached.get(key);
  if (ground?.palette !== palette) {
    ground = { palette, pixels: paintAll(image, palette, place, ink) };
    if (cached.size >= keptGrounds) cached.delete(cached.keys().next().value!);
    cached.set(key, ground);
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
