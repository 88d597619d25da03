import { expect, test } from 'vitest';
import { nearestNeighbours } from './simulate-clusters.ts';
import { createRandom } from '@cellfolio/analysis';

test('the nearest neighbours are those of comparing every pair', () => {
  const random = createRandom('neighbours');
  const [count, dimensions, k] = [200, 3, 5];
  const points = Float64Array.from({ length: count * dimensions }, () => random.normal());
  const { ids } = nearestNeighbours(points, dimensions, k);
  const distance = (i: number, j: number): number =>
    Math.hypot(...[0, 1, 2].map((d) => points[i * 3 + d]! - points[j * 3 + d]!));
  for (let i = 0; i < count; i++) {
    const expected = Array.from({ length: count }, (_, j) => j)
      .filter((j) => j !== i)
      .sort((x, y) => distance(i, x) - distance(i, y))
      .slice(0, k);
    expect([...ids.subarray(i * k, i * k + k)]).toEqual(expected);
  }
});
