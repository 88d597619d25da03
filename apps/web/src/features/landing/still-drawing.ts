import type { BannerCells } from './banner-cells.ts';
import type { CloudColours, Colour } from './cloud-colours.ts';
import type { CloudDrawing, Colouring } from './cloud-drawing.ts';
import { colouringAt } from './cloud-programme.ts';

/**
 * For browsers without a graphics processor to draw on: the same cells, at rest. Dots are stamped into a pixel buffer,
 * which takes a few milliseconds; as many arcs would hold the page up for a tenth of a second.
 */
export function createStillDrawing(canvas: HTMLCanvasElement, cells: BannerCells): CloudDrawing | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  let colours: CloudColours | null = null;
  return {
    alive: false,
    setColours: (next) => (colours = next),
    draw(frame) {
      const { width, height } = canvas;
      if (colours === null || width === 0 || height === 0) return;
      const colouring = colouringAt(frame);
      const image = context.createImageData(width, height);
      const side = 0.95 * Math.min(width, height);
      const stamp = dot(Math.max(1.5, side / 245));
      for (let cell = 0; cell < cells.count; cell++) {
        const x = width / 2 + side * ((cells.places[2 * cell] ?? 0) / 65_535 - 0.5);
        const y = height / 2 - side * ((cells.places[2 * cell + 1] ?? 0) / 65_535 - 0.5);
        print(image, stamp, Math.round(x), Math.round(y), colourOf(cells, cell, colouring, colours));
      }
      context.putImageData(image, 0, 0);
    },
  };
}

function colourOf(
  cells: BannerCells,
  cell: number,
  colouring: Colouring,
  { types, ramp }: CloudColours,
): Colour {
  const level = colouring === null ? 0 : (cells.expression[colouring]?.[cell] ?? 0);
  const colour =
    colouring === null
      ? types[cells.types[cell] ?? 0]
      : ramp[level === 0 ? 0 : 1 + Math.round((level / 255) * 4)];
  return colour ?? [0, 0, 0];
}

interface Stamp {
  /** From the centre, in pixels. */
  reach: number;
  /** Cover of each pixel of the square around the centre, 0 to 255. */
  cover: Uint8Array;
}

function dot(radius: number): Stamp {
  const reach = Math.ceil(radius);
  const size = 2 * reach + 1;
  const cover = Uint8Array.from({ length: size * size }, (_, i) => {
    const distance = Math.hypot((i % size) - reach, Math.floor(i / size) - reach);
    return 255 * Math.min(1, Math.max(0, radius + 0.5 - distance));
  });
  return { reach, cover };
}

/** Later dots lie over earlier ones; where they are soft, what covers more stays. */
function print(image: ImageData, { reach, cover }: Stamp, x: number, y: number, [r, g, b]: Colour): void {
  const { data, width, height } = image;
  const size = 2 * reach + 1;
  for (let i = 0; i < cover.length; i++) {
    const [px, py] = [x - reach + (i % size), y - reach + Math.floor(i / size)];
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const alpha = cover[i] ?? 0;
    const at = 4 * (py * width + px);
    if (alpha === 0 || alpha < Math.min(128, data[at + 3] ?? 0)) continue;
    data[at] = 255 * r;
    data[at + 1] = 255 * g;
    data[at + 2] = 255 * b;
    data[at + 3] = Math.max(alpha, data[at + 3] ?? 0);
  }
}
