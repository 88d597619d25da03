import type { BannerCells } from './banner-cells.ts';
import type { CloudColours } from './cloud-colours.ts';
import type { CloudDrawing, Colouring } from './cloud-drawing.ts';

/** For browsers without a graphics processor to draw on: the same cells, at rest. */
export function createStillDrawing(canvas: HTMLCanvasElement, cells: BannerCells): CloudDrawing | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  let colours: CloudColours | null = null;
  const colourOf = (cell: number, colouring: Colouring, { types, ramp }: CloudColours) => {
    if (colouring === null) return types[cells.types[cell] ?? 0];
    const level = cells.expression[colouring]?.[cell] ?? 0;
    return ramp[level === 0 ? 0 : 1 + Math.round((level / 255) * 4)];
  };
  return {
    setColours: (next) => (colours = next),
    draw({ to }) {
      if (colours === null) return;
      const { width, height } = canvas;
      const side = 0.95 * Math.min(width, height);
      context.clearRect(0, 0, width, height);
      for (let cell = 0; cell < cells.count; cell++) {
        const x = width / 2 + side * ((cells.places[2 * cell] ?? 0) / 65_535 - 0.5);
        const y = height / 2 - side * ((cells.places[2 * cell + 1] ?? 0) / 65_535 - 0.5);
        const [r, g, b] = colourOf(cell, to, colours) ?? [0, 0, 0];
        context.fillStyle = `rgb(${255 * r} ${255 * g} ${255 * b})`;
        context.beginPath();
        context.arc(x, y, Math.max(1.5, side / 280), 0, 7);
        context.fill();
      }
    },
  };
}
