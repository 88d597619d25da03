import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { maxExactCells, nearestCells } from './nearest-cells.ts';

function cloud(cells: number, components: number) {
  const random = seededRandom(3);
  return { coordinates: Float64Array.from({ length: cells * components }, () => random()), components };
}

test('the nearest cells are the same in one thread and in three', async () => {
  const space = cloud(6_500, 4);
  const one = await nearestCells(space, 5, 1);
  const three = await nearestCells(space, 5, 3);
  expect(three).toEqual(one);
  expect(one.indices).toHaveLength(6_500 * 5);
  expect(one.recall).toBeUndefined();
});

test('those of more cells are searched for approximately, the same in any number of threads', async () => {
  const space = cloud(maxExactCells + 1, 8);
  const one = await nearestCells(space, 7, 1);
  expect(await nearestCells(space, 7, 2)).toEqual(one);
  expect(await nearestCells(space, 7, 3)).toEqual(one);
  expect(one.recall!.cells).toBe(500);
  expect(one.recall!.share).toBeGreaterThan(0.97);
  const exact = await nearestCells(space, 7, 1, Infinity);
  const matches = one.distances.filter(
    (distance, at) => distance <= exact.distances[7 * Math.floor(at / 7) + 6]!,
  );
  expect(matches.length / exact.distances.length).toBeCloseTo(one.recall!.share, 2);
});
