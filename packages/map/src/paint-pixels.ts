import { pixelsOfGrid } from './camera.ts';
import { type Layer, type MapView, diameterOf } from './map-view.ts';
import { outsideSlot } from './palettes.ts';
import type { PlacedCells } from './points.ts';
import { drawnCells, strideOf } from './shuffled-order.ts';
import { paintDensity } from './paint-density.ts';
import { colourOf, coloursOf } from './pixel-colours.ts';
import { type Stamp, stampOf } from './stamp.ts';

/** Passes of a picture, from below: what is outside or not selected, the rest, what is on top. */
const passes = [0, 1, 2];
const hidden = 255;

/**
 * Draws a view on the processor, pixel for pixel what the WebGL painter draws (but for the rounding of blends).
 * @param pixels width × height pixels, as ImageData holds them on a little-endian machine (all browsers run on those)
 */
export function paintPixels(points: PlacedCells, view: MapView, pixels: Uint32Array): void {
  checkLayer(points, view.layer);
  const [red, green, blue] = view.background;
  pixels.fill(colourOf(red, green, blue));
  if (view.density) return paintDensity(points, view, pixels);
  const colours = coloursOf(view);
  const pass = passesOf(view.layer);
  const stamp = stampOf(diameterOf(view, points.placed), view.width);
  const solid = stamp.solid && isOpaque(view.layer.palette);
  const used = usedPasses(points, view, pass);
  const count = drawnCells(points.placed, view.sample);
  for (const one of passes)
    if (used.has(one)) paintPass(points, view, pixels, { colours, pass, stamp, solid, one, count });
}

/** @throws RangeError for a layer of another number of cells */
export function checkLayer({ cells }: PlacedCells, { slots, palette }: Layer): void {
  if (slots.length !== cells || palette.length !== 1024)
    throw new RangeError(
      `A layer of ${slots.length} cells and ${palette.length / 4} colours is not one of ${cells} cells.`,
    );
}

/** The pass of each slot, and of each slot where it is not selected. */
function passesOf({ palette, onTopFrom = 256 }: Layer): Uint8Array {
  const pass = new Uint8Array(512);
  for (let slot = 0; slot < 256; slot++) {
    const shown = palette[4 * slot + 3] !== 0;
    pass[slot] = shown ? (slot === outsideSlot ? 0 : slot >= onTopFrom ? 2 : 1) : hidden;
    pass[256 + slot] = shown ? 0 : hidden;
  }
  return pass;
}

/** Of the cells that are drawn: going through them for nothing takes as long as drawing them. */
function usedPasses(
  { placed }: PlacedCells,
  { layer, selection, sample }: MapView,
  pass: Uint8Array,
): Set<number> {
  const seen = new Uint8Array(512);
  const count = drawnCells(placed, sample);
  // Of all of them, in the order of memory: that is the fastest.
  const step = count === placed ? 1 : strideOf(placed);
  for (let k = 0, cell = 0; k < count; k++, cell += step) {
    if (cell >= placed) cell -= placed;
    const dim = selection === undefined || (selection[cell >> 3]! >> (cell & 7)) & 1 ? 0 : 256;
    seen[layer.slots[cell]! | dim] = 1;
  }
  return new Set(pass.filter((_, slot) => seen[slot] === 1));
}

interface Pass {
  readonly colours: Uint32Array;
  readonly pass: Uint8Array;
  readonly stamp: Stamp;
  readonly solid: boolean;
  readonly one: number;
  /** Of cells in shuffled order. */
  readonly count: number;
}

/** The measured loop: no allocation, no call for cells that are drawn whole. */
function paintPass(
  points: PlacedCells,
  view: MapView,
  pixels: Uint32Array,
  { colours, pass, stamp, solid, one, count }: Pass,
): void {
  const { positions, placed, unplaced } = points;
  const { selection, width, height, camera } = view;
  const { slots } = view.layer;
  const { offsets, alphas, before, after, shift } = stamp;
  const scale = pixelsOfGrid(camera, view) / 65_535;
  const startX = width / 2 - camera.x * 65_535 * scale + shift;
  const startY = height / 2 + camera.y * 65_535 * scale + shift;
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
    else if (solid) for (let part = 0; part < offsets.length; part++) pixels[at + offsets[part]!] = colour;
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

/** @param coverage of the pixel, 0 to 255 */
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
