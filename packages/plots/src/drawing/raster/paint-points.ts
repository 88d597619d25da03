import type { Embedding } from '@cellfolio/model';
import type { ScatterSpec } from '../figure.ts';
import type { Rectangle } from '../scene/scene.ts';
import type { PixelPalette } from './pixel-palette.ts';
import type { PointLayer } from './point-layer.ts';
import { NOT_DRAWN } from './point-layer.ts';
import { PHASES, discStamps } from './point-stamp.ts';

export interface PixelImage {
  readonly width: number;
  readonly height: number;
  /** One place of the palette a pixel, row after row. */
  readonly pixels: Uint8Array;
}

/** Where the points of an embedding go. `panel` and the radius are CSS pixels. */
export interface PointPlace {
  readonly embedding: Embedding;
  readonly spec: Pick<ScatterSpec, 'extent' | 'pointRadius'>;
  readonly panel: Rectangle;
  /** Device pixels a CSS pixel. */
  readonly scale: number;
}

/**
 * Stamps the points of a layer into an indexed image. Both axes have one scale, the cells are centred in
 * the panel, y points up, and cells without finite coordinates are passed over.
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
  const spanX = extent.x[1] - extent.x[0];
  const spanY = extent.y[1] - extent.y[0];
  const roomX = panel.width * scale - 2 * pad;
  const roomY = panel.height * scale - 2 * pad;
  const unit = Math.min(spanX > 0 ? roomX / spanX : Infinity, spanY > 0 ? roomY / spanY : Infinity);
  // One cell, or all on one spot: any finite scale puts it in the middle.
  const perUnit = (Number.isFinite(unit) ? unit : 1) * PHASES;
  const middleX = (extent.x[0] + extent.x[1]) / 2;
  const middleY = (extent.y[0] + extent.y[1]) / 2;
  const originX = (panel.x + panel.width / 2) * scale * PHASES;
  const originY = (panel.y + panel.height / 2) * scale * PHASES;

  for (let i = 0; i < order.length; i++) {
    const cell = order[i]!;
    const ink = cellInk[cell]!;
    if (ink === NOT_DRAWN) continue;
    const x = originX + (values[cell * dimensions]! - middleX) * perUnit;
    const y = originY - (values[cell * dimensions + 1]! - middleY) * perUnit;
    if (x - x + (y - y) !== 0) continue;
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
