import type { BannerCells } from './banner-cells.ts';
import type { CloudColours, CloudDrawing, CloudFrame, Colour, Colouring } from './cloud-drawing.ts';

/**
 * CPU drawing of the same cells for browsers without a GPU. Stamps dots into a pixel buffer, which takes a few
 * milliseconds; drawing as many arcs would block the page for a tenth of a second.
 */
export function createPixelDrawing(canvas: HTMLCanvasElement, cells: BannerCells): CloudDrawing | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  let colours: ColourTables | null = null;
  let image: ImageData | null = null;
  return {
    shortestInterval: 1 / 20,
    maxPixelRatio: 1,
    setColours: (next) => (colours = colourTables(next)),
    draw(frame) {
      const { width, height } = canvas;
      if (colours === null || width === 0 || height === 0) return;
      if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      pixels.fill(0);
      paint({ pixels, width, height }, cells, frame, colours);
      context.putImageData(image, 0, 0);
    },
  };
}

interface Picture {
  /** Alpha, blue, green, red, from the highest to the lowest byte. */
  pixels: Uint32Array;
  width: number;
  height: number;
}

/** Three bytes (red, green, blue) per type, and per expression level from 0 to 255. */
interface ColourTables {
  byType: Uint8Array;
  byLevel: Uint8Array;
}

function colourTables({ types, ramp }: CloudColours): ColourTables {
  const levels = Array.from({ length: 256 }, (_, level): Colour => {
    if (level === 0) return ramp[0] ?? [0, 0, 0];
    const at = 1 + (level / 255) * 4;
    const low = Math.min(Math.floor(at), 4);
    const [from, to] = [ramp[low] ?? [0, 0, 0], ramp[low + 1] ?? [0, 0, 0]];
    const mixed = (i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * (at - low);
    return [mixed(0), mixed(1), mixed(2)];
  });
  const bytes = (colours: readonly Colour[]) =>
    Uint8Array.from(colours.flat(), (part) => Math.floor(255 * part));
  return { byType: bytes(types), byLevel: bytes(levels) };
}

/**
 * Moves each cell as the shader does (cloud-shaders.ts) and stamps it. Runs for thousands of cells in every frame: only
 * numbers, no allocation in the loop. Indices are in bounds by construction; checking each would cost as much as the
 * rest.
 */
function paint(picture: Picture, cells: BannerCells, frame: CloudFrame, tables: ColourTables): void {
  const { width, height } = picture;
  const { places, count } = cells;
  const { time, blend } = frame;
  const half = (0.95 * Math.min(width, height)) / 2;
  const stamp = dot(Math.max(1.5, half / 122));
  const [before, beforeTable] = column(cells, frame.from, tables);
  const [after, afterTable] = column(cells, frame.to, tables);
  const turn = 0.04 * Math.sin(time * 0.11);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const { sin, cos, round } = Math;
  for (let cell = 0; cell < count; cell++) {
    const placeX = places[2 * cell]! / 65_535;
    const placeY = places[2 * cell + 1]! / 65_535;
    const x = placeX * 2 - 1;
    const y = placeY * 2 - 1;
    const own = ((placeX * 917.3 + placeY * 531.7) % 1) * 6.2832;
    const driftX = 0.011 * (sin(time * 0.35 + y * 2.1) + 0.5 * sin(time * 0.23 + x * 3.7));
    const driftY = 0.011 * (cos(time * 0.31 + x * 1.9) + 0.5 * cos(time * 0.27 + y * 2.9));
    const movedX = c * x - s * y + driftX + 0.0032 * cos(time * 0.8 + own);
    const movedY = s * x + c * y + driftY + 0.0032 * sin(time * 0.7 + own * 1.7);
    const from = 3 * before[cell]!;
    const to = 3 * after[cell]!;
    const r = beforeTable[from]! + (afterTable[to]! - beforeTable[from]!) * blend;
    const g = beforeTable[from + 1]! + (afterTable[to + 1]! - beforeTable[from + 1]!) * blend;
    const b = beforeTable[from + 2]! + (afterTable[to + 2]! - beforeTable[from + 2]!) * blend;
    const colour = (b << 16) | (g << 8) | r;
    print(picture, stamp, round(width / 2 + half * movedX), round(height / 2 - half * movedY), colour);
  }
}

function column(cells: BannerCells, colouring: Colouring, tables: ColourTables): [Uint8Array, Uint8Array] {
  const levels = colouring === null ? undefined : cells.expression[colouring];
  return levels === undefined ? [cells.types, tables.byType] : [levels, tables.byLevel];
}

/** Pixels covered by a dot, one after the other: offset from its centre, and coverage of each, 1 to 255. */
interface Stamp {
  right: Int8Array;
  down: Int8Array;
  cover: Uint8Array;
}

function dot(radius: number): Stamp {
  const reach = Math.ceil(radius);
  const pixels: [right: number, down: number, cover: number][] = [];
  for (let down = -reach; down <= reach; down++) {
    for (let right = -reach; right <= reach; right++) {
      const cover = Math.floor(255 * Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(right, down))));
      if (cover > 0) pixels.push([right, down, cover]);
    }
  }
  return {
    right: Int8Array.from(pixels, ([right]) => right),
    down: Int8Array.from(pixels, ([, down]) => down),
    cover: Uint8Array.from(pixels, ([, , cover]) => cover),
  };
}

/** Later dots cover earlier ones; at soft edges the larger coverage wins. */
function print(
  { pixels, width, height }: Picture,
  { right, down, cover }: Stamp,
  x: number,
  y: number,
  colour: number,
): void {
  for (let i = 0; i < cover.length; i++) {
    const px = x + right[i]!;
    const py = y + down[i]!;
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const alpha = cover[i]!;
    const at = py * width + px;
    const before = pixels[at]! >>> 24;
    if (alpha < before && alpha < 128) continue;
    pixels[at] = ((alpha > before ? alpha : before) << 24) | colour;
  }
}
