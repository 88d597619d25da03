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

/** The pixels that a dot covers, one after the other: how far from its centre, and how much of each, 1 to 255. */
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

/**
 * Later dots lie over earlier ones; where they are soft, what covers more stays. Runs once for each of thousands of
 * cells while the page is new and its code not yet compiled: numbers only, nothing is made in the loop.
 */
function print(image: ImageData, stamp: Stamp, x: number, y: number, colour: Colour): void {
  const { data, width, height } = image;
  const { right, down, cover } = stamp;
  const r = 255 * colour[0];
  const g = 255 * colour[1];
  const b = 255 * colour[2];
  for (let i = 0; i < cover.length; i++) {
    // In bounds by construction; a check of each would cost as much as the rest.
    const px = x + right[i]!;
    const py = y + down[i]!;
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const alpha = cover[i]!;
    const at = 4 * (py * width + px);
    const before = data[at + 3]!;
    if (alpha < before && alpha < 128) continue;
    data[at] = r;
    data[at + 1] = g;
    data[at + 2] = b;
    data[at + 3] = alpha > before ? alpha : before;
  }
}
