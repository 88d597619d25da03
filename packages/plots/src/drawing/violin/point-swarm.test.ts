import { expect, test } from 'vitest';
import { seeded } from '../../mixture.test-data.ts';
import { swarmOffsets } from './point-swarm.ts';

test('a point alone stays in the middle', () => {
  expect(swarmOffsets([10, 40, 70], 3, 12)).toEqual([-0, -0, -0]);
});

test('up to nine points, wherever they lie, keep to their row and no two to the same spot', () => {
  const uniform = seeded(7);
  for (let round = 0; round < 200; round++) {
    const places = Array.from({ length: 1 + Math.floor(9 * uniform()) }, () =>
      Math.round(20 * uniform()),
    ).sort((a, b) => a - b);
    const offsets = swarmOffsets(places, 3, 12);
    expect(Math.max(...offsets.map(Math.abs))).toBeLessThanOrEqual(12 + 1e-9);
    const spots = new Set(places.map((x, i) => `${x} ${offsets[i]!.toFixed(6)}`));
    expect(spots.size).toBe(places.length);
  }
});

test('equal values that have room do not overlap', () => {
  const offsets = swarmOffsets([5, 5, 5, 5], 3, 12).sort((a, b) => a - b);
  expect(offsets).toEqual([-9, -3, 3, 9]);
});
