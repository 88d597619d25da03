import type { Rectangle } from './scene.ts';
import { smallSize } from './style.ts';

interface NamedPoint {
  name: string;
  full?: string;
  x: number;
  y: number;
  width: number;
  radius?: number;
}

export interface PlacedName {
  name: string;
  full?: string;
  left: number;
  baseline: number;
  /** Line from the rim of the point to the name, for a name away from its point. */
  leader?: { from: Place; to: Place };
}

type Place = readonly [x: number, y: number];

const height = smallSize * 1.02;
const ascent = smallSize * 0.78;

/**
 * Names beside their points, first ones first: each where it covers no other name or named point, or not at all. Tries
 * right of a point, then left, top and bottom, then places a line away. `half`: half the side of the square that a
 * point takes. A name without room there may stand up to `reach` away, at the end of a line that crosses no other.
 */
export function placedNames(
  points: readonly NamedPoint[],
  panel: Rectangle,
  half = 3.5,
  reach = 0,
): PlacedName[] {
  const occupied: Rectangle[] = points.map(({ x, y, radius = half }) => ({
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
  }));
  const leaders: NonNullable<PlacedName['leader']>[] = [];
  const isFree = (one: Rectangle, own: number): boolean =>
    isInside(one, panel) &&
    !occupied.some((other, at) => at !== own && overlap(one, other)) &&
    !leaders.some((leader) => crosses(leader, one));
  const placed = points.map(({ x, y, width, radius = half }, own) => {
    const box = candidates({ x, y, width, gap: radius + 1.5 }).find((one) => isFree(one, own));
    if (box) occupied.push(box);
    return { box, leader: undefined as PlacedName['leader'] };
  });
  // Names that have room beside their points go first: a leader would take it from them.
  points.forEach(({ x, y, width, radius = half }, own) => {
    if (placed[own]!.box !== undefined) return;
    const away = distantPlaces({ x, y, width, from: radius + height, reach })
      .map((box) => ({ box, leader: leaderTo(box, { x, y, radius }) }))
      .filter(
        ({ box, leader }) =>
          isFree(box, own) &&
          !leaders.some((other) => areCrossed(leader, other)) &&
          !occupied.slice(points.length).some((name) => crosses(leader, name)),
      );
    const isClear = ({ leader }: (typeof away)[number]): boolean =>
      !occupied.some((other, at) => at !== own && crosses(leader, other));
    // In a crowd a leader has to pass over other points.
    const chosen = away.find(isClear) ?? away[0];
    if (chosen === undefined) return;
    occupied.push(chosen.box);
    leaders.push(chosen.leader);
    placed[own] = chosen;
  });
  return points.flatMap(({ name, full = name }, at): PlacedName[] => {
    const { box, leader } = placed[at]!;
    if (box === undefined) return [];
    const place = { left: box.x, baseline: box.y + ascent };
    return [{ name, ...(full !== name && { full }), ...place, ...(leader && { leader }) }];
  });
}

const directions = 16;
const ring = 8;

/** Places around a point, the nearest first. */
function distantPlaces({
  x,
  y,
  width,
  from,
  reach,
}: Readonly<Record<'x' | 'y' | 'width' | 'from' | 'reach', number>>): Rectangle[] {
  const rings = Math.max(0, Math.floor((reach - from) / ring) + 1);
  return Array.from({ length: rings * directions }, (_, nth) => {
    const away = from + ring * Math.floor(nth / directions);
    const angle = (2 * Math.PI * (nth % directions)) / directions;
    const [dx, dy] = [Math.cos(angle) * away, Math.sin(angle) * away];
    // The near end of a name is at the end of its leader, or its middle if it stands straight above or below.
    const left = Math.abs(dx) < 1 ? x - width / 2 : dx > 0 ? x + dx : x + dx - width;
    return { x: left, y: y + dy - height / 2, width, height };
  });
}

function leaderTo(
  box: Rectangle,
  { x, y, radius }: { x: number; y: number; radius: number },
): NonNullable<PlacedName['leader']> {
  const to: Place = [
    Math.min(box.x + box.width, Math.max(box.x, x)),
    Math.min(box.y + box.height, Math.max(box.y, y)),
  ];
  const part = Math.min(1, radius / (Math.hypot(to[0] - x, to[1] - y) || 1));
  return { from: [x + (to[0] - x) * part, y + (to[1] - y) * part], to };
}

/** Whether a leader enters a box; boxes that it ends at are not entered. */
function crosses({ from, to }: NonNullable<PlacedName['leader']>, box: Rectangle): boolean {
  const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 2);
  for (let step = 0; step <= steps; step++) {
    const x = from[0] + ((to[0] - from[0]) * step) / (steps || 1);
    const y = from[1] + ((to[1] - from[1]) * step) / (steps || 1);
    if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height) return true;
  }
  return false;
}

function areCrossed(
  one: NonNullable<PlacedName['leader']>,
  other: NonNullable<PlacedName['leader']>,
): boolean {
  const side = ([px, py]: Place, [qx, qy]: Place, [rx, ry]: Place): number =>
    Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
  return (
    side(one.from, one.to, other.from) !== side(one.from, one.to, other.to) &&
    side(other.from, other.to, one.from) !== side(other.from, other.to, one.to)
  );
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
