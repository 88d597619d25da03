import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { nearestCells } from './nearest-cells.ts';

test('the nearest cells are the same in one thread and in three', async () => {
  const random = seededRandom(3);
  const coordinates = Float64Array.from({ length: 6_500 * 4 }, () => random());
  const one = await nearestCells({ coordinates, components: 4 }, 5, 1);
  const three = await nearestCells({ coordinates, components: 4 }, 5, 3);
  expect(three).toEqual(one);
  expect(one.indices).toHaveLength(6_500 * 5);
});
