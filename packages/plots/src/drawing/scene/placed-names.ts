import type { Rectangle } from './scene.ts';
import { smallSize } from './style.ts';

interface NamedPoint {
  readonly name: string;
  readonly full?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly radius?: number;
}

export interface PlacedName {
  readonly name: string;
  readonly full?: string;
  readonly left: number;
  readonly baseline: number;
}

const height = smallSize * 1.02;
const ascent = smallSize * 0.78;

/**
 * Names beside their points, first ones first: each where it covers no other name or named point, or not at all. Tries
 * right of a point, then left, top and bottom, then places a line away. `half`: half the side of the square that a
 * point takes.
 */
export function placedNames(points: readonly NamedPoint[], panel: Rectangle, half = 3.5): PlacedName[] {
  const occupied: Rectangle[] = points.map(({ x, y, radius = half }) => ({
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
  }));
  const placed: PlacedName[] = [];
  points.forEach(({ name, full = name, x, y, width, radius = half }, own) => {
    const box = candidates({ x, y, width, gap: radius + 1.5 }).find(
      (one) => isInside(one, panel) && !occupied.some((other, at) => at !== own && overlap(one, other)),
    );
    if (!box) return;
    occupied.push(box);
    placed.push({ name, ...(full !== name && { full }), left: box.x, baseline: box.y + ascent });
  });
  return placed;
}

function candidates({ x, y, width, gap }: { x: number; y: number; width: number; gap: number }): Rectangle[] {
  const sides = [x + gap, x - gap - width];
  const middle = y - height / 2;
  const lefts = (shift: number): Rectangle[] =>
    sides.map((left) => ({ x: left, y: middle + shift, width, height }));
  const centred = (top: number): Rectangle => ({ x: x - width / 2, y: top, width, height });
  return [
    ...lefts(0),
    centred(y - gap - height),
    centred(y + gap),
    ...lefts(-height * 0.8),
    ...lefts(height * 0.8),
  ];
}

function overlap(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function isInside(one: Rectangle, panel: Rectangle): boolean {
  return (
    one.x >= panel.x &&
    one.y >= panel.y &&
    one.x + one.width <= panel.x + panel.width &&
    one.y + one.height <= panel.y + panel.height
  );
}
