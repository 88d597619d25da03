import type { AreaMark, Mark, Rectangle, TriangleMark, VectorMark } from './scene.ts';
import { gridColour } from './style.ts';

/** A straight line in any direction, as two triangles: keeps its width when steep, and can be drawn over cells. */
export function edgeBetween(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  { width, colour }: { width: number; colour: string },
): TriangleMark[] {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return [];
  const [dx, dy] = [(-(y2 - y1) / length) * (width / 2), ((x2 - x1) / length) * (width / 2)];
  return [
    { kind: 'triangle', corners: [x1 + dx, y1 + dy, x1 - dx, y1 - dy, x2 + dx, y2 + dy], colour },
    { kind: 'triangle', corners: [x1 - dx, y1 - dy, x2 + dx, y2 + dy, x2 - dx, y2 - dy], colour },
  ];
}

export function gridLine(x: number, { y, height }: Rectangle, below = 4): Mark {
  return { kind: 'rectangle', x: x - 0.5, y, width: 1, height: height + below, colour: gridColour };
}

export function lineBetween(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  { width, colour }: { width: number; colour: string },
): VectorMark {
  if (Math.abs(x2 - x1) < 0.5) {
    const top = Math.min(y1, y2);
    return { kind: 'rectangle', x: x1 - width / 2, y: top, width, height: Math.abs(y2 - y1), colour };
  }
  return x1 < x2
    ? curveThrough([x1, x2], [y1, y2], width, colour)
    : curveThrough([x2, x1], [y2, y1], width, colour);
}

/** Line through points with rising x, of the same width when steep. */
export function curveThrough(
  xs: readonly number[],
  ys: readonly number[],
  width: number,
  colour: string,
): AreaMark {
  const half = xs.map((_, i) => {
    const [before, after] = [Math.max(0, i - 1), Math.min(xs.length - 1, i + 1)];
    const slope = (ys[after]! - ys[before]!) / (xs[after]! - xs[before]! || 1);
    return (width / 2) * Math.hypot(1, slope);
  });
  return {
    kind: 'area',
    xs,
    tops: ys.map((y, i) => y - half[i]!),
    bottoms: ys.map((y, i) => y + half[i]!),
    colour,
  };
}
