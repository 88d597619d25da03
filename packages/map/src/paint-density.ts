import { type MapView, diameterOf, colourOf, coloursOf } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';
import type { PlacedCells } from './points.ts';
import { drawnCells, strideOf } from './shuffled-order.ts';
import { projectionOf, type Stamp, stampOf } from './stamp.ts';

/** Opacity of a pixel with a single cell among pixels with many: it stays visible. */
const faintest = 0.25;

/**
 * Draws each pixel in the mean colour of its cells, more opaque by the logarithm of their number: no cell hides
 * another, whatever the order. The sums are integers, so the picture is exact. The fullest pixel of this picture is
 * opaque. `pixels`: width × height, filled with the background.
 */
export function paintDensity(points: PlacedCells, view: MapView, pixels: Uint32Array): void {
  const counts = new Uint32Array(pixels.length);
  const sums = new Uint32Array(3 * pixels.length);
  const colours = coloursOf(view);
  const stamp = stampOf(diameterOf(view, points.placed), view.width);
  const count = drawnCells(points.placed, view.sample);
  addUp(points, view, { counts, sums }, { colours, stamp, count });
  let maxCount = 1;
  for (let at = 0; at < counts.length; at++) if (counts[at]! > maxCount) maxCount = counts[at]!;
  // Not a call for each pixel: most hold few cells.
  const opacities = Float64Array.from({ length: Math.min(maxCount, 4095) + 1 }, (_, n) =>
    opacityOf(n, maxCount),
  );
  const [red, green, blue] = view.background;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    if (count === 0) continue;
    const opacity = opacities[count] ?? opacityOf(count, maxCount);
    const share = opacity / count;
    pixels[at] = colourOf(
      Math.round(sums[3 * at]! * share + red * (1 - opacity)),
      Math.round(sums[3 * at + 1]! * share + green * (1 - opacity)),
      Math.round(sums[3 * at + 2]! * share + blue * (1 - opacity)),
    );
  }
}

function opacityOf(count: number, maxCount: number): number {
  return maxCount === 1 ? 1 : faintest + ((1 - faintest) * Math.log(count)) / Math.log(maxCount);
}

/** Each shown cell, except those outside, counts once in each pixel that its disc covers by half or more. */
function addUp(
  points: PlacedCells,
  view: MapView,
  { counts, sums }: { counts: Uint32Array; sums: Uint32Array },
  { colours, stamp, count }: { colours: Uint32Array; stamp: Stamp; count: number },
): void {
  const { positions, placed, unplaced } = points;
  const { selection, width, height } = view;
  const { slots } = view.layer;
  const { dx, dy, alphas, before, after } = stamp;
  const { scale, startX, startY } = projectionOf(view, stamp);
  // Without a sample the order does not matter: that of memory is the fastest.
  const step = count === placed ? 1 : strideOf(placed);
  for (let k = 0, cell = 0; k < count; k++, cell += step) {
    if (cell >= placed) cell -= placed;
    if (unplaced !== undefined && (unplaced[cell >> 3]! >> (cell & 7)) & 1) continue;
    let slot = slots[cell]!;
    if (slot === outsideSlot) continue;
    if (selection !== undefined && !((selection[cell >> 3]! >> (cell & 7)) & 1)) slot |= 256;
    const colour = colours[slot]!;
    if (colour >>> 24 === 0) continue;
    const x = Math.floor(startX + positions[2 * cell]! * scale);
    const y = Math.floor(startY - positions[2 * cell + 1]! * scale);
    if (x < -after || y < -after || x >= width + before || y >= height + before) continue;
    for (let part = 0; part < dx.length; part++) {
      const px = x + dx[part]!;
      const py = y + dy[part]!;
      if (alphas[part]! < 128 || px < 0 || py < 0 || px >= width || py >= height) continue;
      const at = py * width + px;
      counts[at]!++;
      sums[3 * at]! += colour & 255;
      sums[3 * at + 1]! += (colour >>> 8) & 255;
      sums[3 * at + 2]! += (colour >>> 16) & 255;
    }
  }
}
