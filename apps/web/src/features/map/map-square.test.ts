import { gridPlace } from '@cellfolio/map';
import { expect, test } from 'vitest';
import { squareOfCamera } from './map-square.ts';

const size = { width: 700, height: 600 };

test('exact positions are wanted from where a step of the grid is wider than a pixel of the screen', () => {
  // 0.96 × 600 pixels of the grid at zoom 1.
  const zoom = 65_536 / 576;
  expect(squareOfCamera({ x: 0.5, y: 0.5, zoom: 0.99 * zoom }, size, 1)).toBeUndefined();
  expect(squareOfCamera({ x: 0.5, y: 0.5, zoom: 1.01 * zoom }, size, 1)).toEqual({
    left: 31_744,
    bottom: 31_744,
    side: 2048,
  });
  expect(squareOfCamera({ x: 0.5, y: 0.5, zoom: 0.51 * zoom }, size, 2)).toBeDefined();
});

test.each([0, 0.001, 0.2, 0.33333, 0.5, 0.87, 0.9999, 1])(
  'the square holds all that is seen, wherever the map is: %d',
  (x) => {
    for (const zoom of [150, 700, 1300, 4000]) {
      const camera = { x, y: 1 - x, zoom };
      const { left, bottom, side } = squareOfCamera(camera, size, 1)!;
      expect([left % (side / 2), bottom % (side / 2), side & (side - 1)]).toEqual([0, 0, 0]);
      const from = gridPlace({ x: 0, y: size.height }, camera, size);
      const to = gridPlace({ x: size.width, y: 0 }, camera, size);
      expect(Math.max(0, from.x) * 65_535).toBeGreaterThanOrEqual(left);
      expect(Math.max(0, from.y) * 65_535).toBeGreaterThanOrEqual(bottom);
      expect(Math.min(1, to.x) * 65_535).toBeLessThanOrEqual(left + side);
      expect(Math.min(1, to.y) * 65_535).toBeLessThanOrEqual(bottom + side);
    }
  },
);
