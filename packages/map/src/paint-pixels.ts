import { type Layer, type MapView, diameterOf, colourOf, coloursOf } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';
import type { PlacedCells } from './points.ts';
import { drawnCells, placeStepOf, strideOf } from './shuffled-order.ts';
import { pixelsOfGrid } from './camera.ts';

/** Passes from bottom to top: outside or unselected cells, the rest, those on top. */
const passes = [0, 1, 2];
const hidden = 255;

/**
 * Draws a view on the CPU, pixel for pixel like the WebGL painter (except for the rounding of blends). `pixels`: width
 * × height, as in ImageData on a little-endian machine (all browsers run on those).
 */
export function paintPixels(points: PlacedCells, view: MapView, pixels: Uint32Array): void {
  checkLayer(points, view.layer);
  const [red, green, blue] = view.background;
  pixels.fill(colourOf(red, green, blue));
  if (view.density) return paintDensity(points, view, pixels);
  const colours = coloursOf(view);
  const pass = passesOf(view.layer);
  const stamp = stampOf(diameterOf(view, points.placed), view.width);
  const count = drawnCells(points.placed, view.sample);
  if (drawsTopmost(view, stamp)) {
    paintTopmost(points, view, pixels, { colours, pass, stamp, count });
    return;
  }
  const used = usedPasses(points, view, pass);
  for (const one of passes)
    if (used.has(one)) paintPass(points, view, pixels, { colours, pass, stamp, count }, one);
}

/** Number of cells drawn in about 25 ms, half the threshold of a long task. */
export function cellsAtOnce({ placed }: PlacedCells, view: MapView): number {
  const stamp = stampOf(diameterOf(view, placed), view.width);
  return !view.density && drawsTopmost(view, stamp) ? 1_000_000 : 200_000;
}

function drawsTopmost({ layer }: MapView, { solid }: Stamp): boolean {
  return solid && isOpaque(layer.palette);
}

export function checkLayer({ cells }: PlacedCells, { slots, palette }: Layer): void {
  if (slots.length !== cells || palette.length !== 1024)
    throw new RangeError(
      `A layer of ${slots.length} cells and ${palette.length / 4} colors is not one of ${cells} cells.`,
    );
}

function passesOf({ palette, onTopFrom = 256 }: Layer): Uint8Array {
  const pass = new Uint8Array(512);
  for (let slot = 0; slot < 256; slot++) {
    const shown = palette[4 * slot + 3] !== 0;
    pass[slot] = shown ? (slot === outsideSlot ? 0 : slot >= onTopFrom ? 2 : 1) : hidden;
    pass[256 + slot] = shown ? 0 : hidden;
  }
  return pass;
}

/** Passes that draw any cell: an empty pass takes as long as drawing. */
function usedPasses(
  { placed }: PlacedCells,
  { layer, selection, sample }: MapView,
  pass: Uint8Array,
): Set<number> {
  const usedSlots = new Uint8Array(512);
  const count = drawnCells(placed, sample);
  // All of them, in memory order, which is the fastest.
  const step = count === placed ? 1 : strideOf(placed);
  for (let k = 0, cell = 0; k < count; k++, cell += step) {
    if (cell >= placed) cell -= placed;
    const dim = selection === undefined || (selection[cell >> 3]! >> (cell & 7)) & 1 ? 0 : 256;
    usedSlots[layer.slots[cell]! | dim] = 1;
  }
  return new Set(pass.filter((_, slot) => usedSlots[slot] === 1));
}

interface Painting {
  colours: Uint32Array;
  pass: Uint8Array;
  stamp: Stamp;
  count: number;
}

let heights = new Uint32Array(0);

/**
 * Opaque squares: each pixel shows the topmost of its cells. Visiting cells in memory order, neighbours on the map one
 * after the other, is many times faster than in stacking order.
 */
function paintTopmost(
  points: PlacedCells,
  view: MapView,
  pixels: Uint32Array,
  { colours, pass, stamp, count }: Painting,
): void {
  const { positions, placed, unplaced } = points;
  const { selection, width, height } = view;
  const { slots } = view.layer;
  const { dx, dy, before, after } = stamp;
  const parts = dx.length;
  const { scale, startX, startY } = projectionOf(view, stamp);
  if (heights.length < pixels.length) heights = new Uint32Array(pixels.length);
  else heights.fill(0, 0, pixels.length);
  const step = placeStepOf(placed);
  for (let cell = 0, place = 0; cell < placed; cell++, place += step) {
    if (place >= placed) place -= placed;
    if (place >= count) continue;
    if (unplaced !== undefined && (unplaced[cell >> 3]! >> (cell & 7)) & 1) continue;
    let slot = slots[cell]!;
    if (selection !== undefined && !((selection[cell >> 3]! >> (cell & 7)) & 1)) slot |= 256;
    if (pass[slot] === hidden) continue;
    const x = Math.floor(startX + positions[2 * cell]! * scale);
    const y = Math.floor(startY - positions[2 * cell + 1]! * scale);
    if (x < -after || y < -after || x >= width + before || y >= height + before) continue;
    const own = pass[slot]! * placed + place + 1;
    for (let part = 0; part < parts; part++) {
      const px = x + dx[part]!;
      const py = y + dy[part]!;
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const at = py * width + px;
      if (heights[at]! > own) continue;
      heights[at] = own;
      pixels[at] = colours[slot]!;
    }
  }
}

function paintPass(
  points: PlacedCells,
  view: MapView,
  pixels: Uint32Array,
  { colours, pass, stamp, count }: Painting,
  one: number,
): void {
  const { positions, placed, unplaced } = points;
  const { selection, width, height } = view;
  const { slots } = view.layer;
  const { offsets, alphas, before, after } = stamp;
  const { scale, startX, startY } = projectionOf(view, stamp);
  const stride = strideOf(placed);
  for (let k = 0, cell = 0; k < count; k++, cell += stride) {
    if (cell >= placed) cell -= placed;
    if (unplaced !== undefined && (unplaced[cell >> 3]! >> (cell & 7)) & 1) continue;
    let slot = slots[cell]!;
    if (selection !== undefined && !((selection[cell >> 3]! >> (cell & 7)) & 1)) slot |= 256;
    if (pass[slot] !== one) continue;
    const x = Math.floor(startX + positions[2 * cell]! * scale);
    const y = Math.floor(startY - positions[2 * cell + 1]! * scale);
    if (x < -after || y < -after || x >= width + before || y >= height + before) continue;
    const colour = colours[slot]!;
    const at = y * width + x;
    if (x < before || y < before || x >= width - after || y >= height - after)
      paintClipped(pixels, view, stamp, { x, y, colour });
    else
      for (let part = 0; part < offsets.length; part++)
        blend(pixels, at + offsets[part]!, colour, alphas[part]!);
  }
}

function isOpaque(palette: Uint8Array): boolean {
  for (let at = 3; at < palette.length; at += 4) if (palette[at]! !== 255 && palette[at]! !== 0) return false;
  return true;
}

function paintClipped(
  pixels: Uint32Array,
  { width, height }: MapView,
  stamp: Stamp,
  { x, y, colour }: { x: number; y: number; colour: number },
): void {
  for (let part = 0; part < stamp.alphas.length; part++) {
    const px = x + stamp.dx[part]!;
    const py = y + stamp.dy[part]!;
    if (px >= 0 && py >= 0 && px < width && py < height)
      blend(pixels, py * width + px, colour, stamp.alphas[part]!);
  }
}

function blend(pixels: Uint32Array, at: number, colour: number, coverage: number): void {
  const alpha = ((colour >>> 24) * coverage) / 65_025;
  if (alpha === 1) {
    pixels[at] = colour;
    return;
  }
  const below = pixels[at]!;
  const mixed = (shift: number) =>
    Math.round(((colour >>> shift) & 255) * alpha + ((below >>> shift) & 255) * (1 - alpha));
  pixels[at] = colourOf(mixed(0), mixed(8), mixed(16));
}

/** Opacity of a pixel with a single cell among pixels with many: it stays visible. */
const faintest = 0.25;

/**
 * Draws each pixel in the mean colour of its cells, more opaque by the logarithm of their number: no cell hides
 * another, whatever the order. The sums are integers, so the picture is exact. The fullest pixel of this picture is
 * opaque. `pixels`: width × height, filled with the background.
 */
function paintDensity(points: PlacedCells, view: MapView, pixels: Uint32Array): void {
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

interface Stamp {
  dx: Int32Array;
  dy: Int32Array;
  /** dy × width of the picture + dx. */
  offsets: Int32Array;
  /** Coverage of each pixel, 0 to 255. */
  alphas: Uint8Array;
  solid: boolean;
  /** Pixels to the left of (and above) the centre's, and to the right of it. */
  before: number;
  after: number;
  /** Added to a coordinate before rounding down: discs of an even diameter are centred between pixels. */
  shift: number;
}

/**
 * A disc on whole pixels: both painters agree on it, and nothing shimmers while the map moves. `diameter`: pixels, an
 * integer. `width`: that of the picture.
 */
function stampOf(diameter: number, width: number): Stamp {
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
function projectionOf(view: MapView, { shift }: Stamp): { scale: number; startX: number; startY: number } {
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
