import { expect, test } from 'vitest';
import { type Camera, fit, screenPlace } from './camera.ts';
import { outsideSlot } from './slot-palettes.ts';
import { Points } from './points.ts';
import {
  clusteredPositions,
  crossingPolygon,
  randomBits,
  randomLayer,
  seeded,
} from './seeded-cells.test-data.ts';

const size = { width: 700, height: 500 };
const cameras: Camera[] = [fit(), { x: 0.3, y: 0.6, zoom: 12 }, { x: 0.9, y: 0.1, zoom: 0.6 }];

function nearestOfAll(points: Points, at: { x: number; y: number }, camera: Camera, radius: number) {
  let best = { cell: -1, distance: radius };
  for (let cell = 0; cell < points.placed; cell++) {
    const place = screenPlace(
      { x: points.positions[2 * cell]! / 65_535, y: points.positions[2 * cell + 1]! / 65_535 },
      camera,
      size,
    );
    const distance = Math.hypot(place.x - at.x, place.y - at.y);
    if (distance < best.distance) best = { cell, distance };
  }
  return best;
}

test.each([
  { morton: true, cells: 20_000 },
  { morton: false, cells: 20_000 },
  { morton: true, cells: 3 },
])(
  'the cell under the pointer is the nearest of all ($cells cells, Morton order: $morton)',
  ({ morton, cells }) => {
    const points = new Points(clusteredPositions(cells, { morton }), { morton, missing: 0 });
    const random = seeded(9);
    let hits = 0;
    for (let round = 0; round < 120; round++) {
      const camera = cameras[round % 3]!;
      const at = { x: random() * size.width, y: random() * size.height };
      const radius = round % 2 ? 6 : 90;
      const expected = nearestOfAll(points, at, camera, radius);
      const cell = points.nearest(at, camera, size, radius);
      expect(cell === -1).toBe(expected.cell === -1);
      if (cell === -1) continue;
      hits++;
      const same = [0, 1].every(
        (axis) => points.positions[2 * cell + axis] === points.positions[2 * expected.cell + axis],
      );
      expect(same).toBe(true);
    }
    expect(hits).toBeGreaterThan(cells > 100 ? 40 : 0);
  },
);

test('a cell that the layer hides, or that lies outside of it, is not under the pointer', () => {
  const points = new Points(Uint16Array.of(32_000, 32_000, 32_100, 32_000), { morton: false, missing: 0 });
  const layer = { slots: Uint8Array.of(1, 2), palette: new Uint8Array(1024).fill(255) };
  const at = screenPlace({ x: 32_000 / 65_535, y: 32_000 / 65_535 }, fit(), size);
  expect(points.nearest(at, fit(), size, 10, layer)).toBe(0);
  layer.palette[7] = 0;
  expect(points.nearest(at, fit(), size, 10, layer)).toBe(1);
  layer.slots[1] = outsideSlot;
  expect(points.nearest(at, fit(), size, 10, layer)).toBe(-1);
});

function isInPolygon(polygon: readonly number[], x: number, y: number): boolean {
  let crossings = 0;
  for (let from = 0; from < polygon.length; from += 2) {
    const to = (from + 2) % polygon.length;
    const [x0, y0, x1, y1] = [polygon[from]!, polygon[from + 1]!, polygon[to]!, polygon[to + 1]!];
    if (y0 > y !== y1 > y && x < x0 + ((x1 - x0) * (y - y0)) / (y1 - y0)) crossings++;
  }
  return crossings % 2 === 1;
}

test.each([
  ['a triangle', Float32Array.of(0.1, 0.1, 0.9, 0.2, 0.4, 0.8)],
  ['a rectangle along squares of the grid', Float32Array.of(0.25, 0.25, 0.75, 0.25, 0.75, 0.75, 0.25, 0.75)],
  ['a polygon beyond the grid', Float32Array.of(-2, -3, 0.6, 0.4, 3, 0.5, 0.5, 4)],
  ['a narrow sliver', Float32Array.of(0.1, 0.3, 0.9, 0.71, 0.9, 0.7)],
  ['arms that cross each other', crossingPolygon(41)],
  ['a path by hand of 3,000 corners', crossingPolygon(3000)],
])('a lasso holds exactly the cells in it: %s', (_, polygon) => {
  const cells = 8000;
  const missing = 100;
  const points = new Points(clusteredPositions(cells), { morton: true, missing });
  const corners = Array.from(polygon, (value) => value * 65_535);
  const expected = new Uint8Array(cells / 8);
  for (let cell = 0; cell < cells - missing; cell++)
    if (isInPolygon(corners, points.positions[2 * cell]!, points.positions[2 * cell + 1]!))
      expected[cell >> 3]! |= 1 << (cell & 7);
  expect(expected.some((byte) => byte !== 0)).toBe(true);
  expect(points.cellsIn(polygon)).toEqual(expected);
});

test.each([
  ['no corner', new Float32Array()],
  ['two corners', Float32Array.of(0, 0, 1, 1)],
  ['a corner that is no number', Float32Array.of(0, 0, 1, NaN, 1, 1)],
])('a lasso of %s is empty', (_, polygon) => {
  const points = new Points(clusteredPositions(100), { morton: true, missing: 0 });
  expect(points.cellsIn(polygon)).toEqual(new Uint8Array(13));
});

test('the box around a selection holds its cells and no more', () => {
  const points = new Points(Uint16Array.of(10, 20, 30_000, 40, 50, 60_000, 9, 9), {
    morton: false,
    missing: 1,
  });
  expect(points.boundsOf(Uint8Array.of(0b1011))).toEqual({
    left: 10 / 65_535,
    bottom: 20 / 65_535,
    right: 30_000 / 65_535,
    top: 40 / 65_535,
  });
  expect(points.boundsOf()?.top).toBe(60_000 / 65_535);
  expect(points.boundsOf(Uint8Array.of(0b1000))).toBeUndefined();
});

test('cells without a position in the middle are neither found, nor selected, nor in the box', () => {
  const cells = 6000;
  const positions = clusteredPositions(cells, { morton: false });
  const unplaced = randomBits(cells, 0.3);
  const isPlaced = (cell: number) => !((unplaced[cell >> 3]! >> (cell & 7)) & 1);
  const order = Array.from({ length: cells }, (_, cell) => cell).filter(isPlaced);
  const missing = cells - order.length;
  const points = new Points(positions, { morton: false, missing, unplaced });
  const others = Uint16Array.from(order.flatMap((cell) => [positions[2 * cell]!, positions[2 * cell + 1]!]));
  const without = new Points(others, { morton: false, missing: 0 });
  const random = seeded(4);
  for (let round = 0; round < 60; round++) {
    const at = { x: random() * size.width, y: random() * size.height };
    const nearestCell = points.nearest(at, cameras[round % 3]!, size, 40);
    expect(nearestCell).toBe(order[without.nearest(at, cameras[round % 3]!, size, 40)] ?? -1);
  }
  const polygon = crossingPolygon(41);
  const expected = new Uint8Array(Math.ceil(cells / 8));
  without.cellsIn(polygon).forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit++)
      if ((byte >> bit) & 1) expected[order[8 * at + bit]! >> 3]! |= 1 << (order[8 * at + bit]! & 7);
  });
  expect(points.cellsIn(polygon)).toEqual(expected);
  expect(points.boundsOf()).toEqual(without.boundsOf());
  const far = new Points(Uint16Array.of(9, 9, 0, 0, 5, 5), {
    morton: false,
    missing: 1,
    unplaced: Uint8Array.of(2),
  });
  expect(far.boundsOf()?.left).toBe(5 / 65_535);
});

test('in Morton order the cells without a position are the last ones, whether or not bits say so', () => {
  const positions = Uint16Array.of(1, 1, 2, 2, 0, 0);
  const options = { morton: true, missing: 1 };
  const withBits = new Points(positions, { ...options, unplaced: Uint8Array.of(4) });
  expect([withBits.placed, withBits.boundsOf(), withBits.bytes]).toEqual(
    ((points: Points) => [points.placed, points.boundsOf(), points.bytes])(new Points(positions, options)),
  );
});

test('the index takes less than half a byte a cell in Morton order, and four more in another', () => {
  const cells = 100_000;
  const positions = new Uint16Array(2 * cells);
  const inOrder = new Points(positions, { morton: true, missing: 0 }).bytes - positions.byteLength;
  expect(inOrder / cells).toBeLessThan(0.5);
  expect(new Points(positions, { morton: false, missing: 0 }).bytes - positions.byteLength).toBe(
    inOrder + 4 * cells,
  );
});

test('positions that cannot be are refused, and no cells at all are no error', () => {
  expect(() => new Points(new Uint16Array(3), { morton: true, missing: 0 })).toThrow(RangeError);
  expect(() => new Points(new Uint16Array(4), { morton: true, missing: 3 })).toThrow(RangeError);
  const unplaced = Uint8Array.of(1, 0);
  expect(() => new Points(new Uint16Array(4), { morton: false, missing: 1, unplaced })).toThrow(RangeError);
  const none = new Points(clusteredPositions(10), { morton: true, missing: 10 });
  expect(none.nearest({ x: 350, y: 250 }, fit(), size, 400)).toBe(-1);
  expect(none.boundsOf(randomBits(10, 1))).toBeUndefined();
  expect(randomLayer(10).slots).toHaveLength(10);
});
