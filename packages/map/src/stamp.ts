import { pixelsOfGrid } from './camera.ts';
import type { MapView } from './map-view.ts';

export interface Stamp {
  readonly dx: Int32Array;
  readonly dy: Int32Array;
  /** dy × width of the picture + dx. */
  readonly offsets: Int32Array;
  /** Coverage of each pixel, 0 to 255. */
  readonly alphas: Uint8Array;
  readonly solid: boolean;
  /** Pixels to the left of (and above) the centre's, and to the right of it. */
  readonly before: number;
  readonly after: number;
  /** Added to a coordinate before rounding down: discs of an even diameter are centred between pixels. */
  readonly shift: number;
}

/**
 * A disc on whole pixels: both painters agree on it, and nothing shimmers while the map moves. `diameter`: pixels, an
 * integer. `width`: that of the picture.
 */
export function stampOf(diameter: number, width: number): Stamp {
  const odd = diameter % 2 === 1;
  const before = diameter >> 1;
  const after = odd ? before : before - 1;
  const dx: number[] = [];
  const dy: number[] = [];
  const alphas: number[] = [];
  for (let y = -before; y <= after; y++)
    for (let x = -before; x <= after; x++) {
      const fromCentre = odd ? Math.hypot(x, y) : Math.hypot(x + 0.5, y + 0.5);
      const alpha = Math.round(255 * coverage(diameter, fromCentre));
      if (alpha === 0) continue;
      dx.push(x);
      dy.push(y);
      alphas.push(alpha);
    }
  return {
    dx: Int32Array.from(dx),
    dy: Int32Array.from(dy),
    offsets: Int32Array.from(dx, (x, part) => dy[part]! * width + x),
    alphas: Uint8Array.from(alphas),
    solid: alphas.every((alpha) => alpha === 255),
    before,
    after,
    shift: odd ? 0 : 0.5,
  };
}

/** Pixels per grid step, and the unrounded centre of a cell at the lower left corner of the grid. */
export function projectionOf(
  view: MapView,
  { shift }: Stamp,
): { scale: number; startX: number; startY: number } {
  const { camera, width, height } = view;
  const scale = pixelsOfGrid(camera, view) / 65_535;
  return {
    scale,
    startX: width / 2 - camera.x * 65_535 * scale + shift,
    startY: height / 2 + camera.y * 65_535 * scale + shift,
  };
}

/** Share of a pixel that a disc covers, by the distance of their centres; discs up to two pixels wide are squares. */
function coverage(diameter: number, distance: number): number {
  return diameter <= 2 ? 1 : Math.min(1, Math.max(0, diameter / 2 + 0.5 - distance));
}
