import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import reference from './mnn-reference.json' with { type: 'json' };
import { mutualNeighbours } from './mutual-neighbours.ts';

test.each(Object.entries(reference))('%s come to the components of scranpy', async (_, testCase) => {
  const batches = Int32Array.from(testCase.batches);
  const cells = {
    coordinates: Float64Array.from(testCase.points.flat()),
    components: testCase.components,
    batches,
    batchCount: new Set(batches).size,
  };
  const { coordinates } = await mutualNeighbours(cells, 1);
  const expected = testCase.corrected.flat();
  noteDifferences('mnn', coordinates, expected, 1);
  const apart = (one: ArrayLike<number>) =>
    Math.max(...expected.map((value, at) => Math.abs(value - one[at]!)));
  expect(apart(coordinates)).toBeLessThan(1e-6);
  expect(apart(cells.coordinates)).toBeGreaterThan(1);
});

const width = 6;
function shifted(count: number) {
  const random = seededRandom(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const batches = Int32Array.from({ length: count }, (_, cell) => cell % 2);
  const types = batches.map((batch, cell) => Math.floor(cell / 2) % (batch === 0 ? 3 : 2));
  const coordinates = new Float64Array(count * width);
  for (let cell = 0; cell < count; cell++)
    for (let at = 0; at < width; at++)
      coordinates[cell * width + at] =
        normal() + (at === types[cell] ? 12 : 0) + (at >= 3 && batches[cell] === 1 ? 3 : 0);
  return { coordinates, components: width, batches, batchCount: 2, types };
}

function meanOf(
  { types, batches }: ReturnType<typeof shifted>,
  values: Float64Array,
  type: number,
  batch: number,
) {
  const own = [...types.keys()].filter((cell) => types[cell] === type && batches[cell] === batch);
  return Array.from({ length: width }, (_, at) =>
    own.reduce((sum, cell) => sum + values[cell * width + at]! / own.length, 0),
  );
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(...a.map((value, at) => value - b[at]!));

test('a shift between two batches is taken out, and a type of one batch alone stays apart', async () => {
  const input = shifted(600);
  const { coordinates, order, paired } = await mutualNeighbours(input, 1);
  for (const type of [0, 1]) {
    const apart = (values: Float64Array) =>
      distance(meanOf(input, values, type, 0), meanOf(input, values, type, 1));
    expect(apart(input.coordinates)).toBeGreaterThan(5);
    expect(apart(coordinates)).toBeLessThan(1);
    const own = meanOf(input, coordinates, 2, 0);
    expect(distance(own, meanOf(input, coordinates, type, 1))).toBeGreaterThan(12);
  }
  // The batch of three types varies more, and stays where it is.
  expect(order).toEqual([0, 1]);
  const ofFirst = (values: Float64Array) =>
    values.filter((_, at) => input.batches[Math.floor(at / width)] === 0);
  expect(ofFirst(coordinates)).toEqual(ofFirst(input.coordinates));
  expect(paired).toBeGreaterThan(0.2);
  expect(paired).toBeLessThanOrEqual(1);
});

test('the result is the same in one thread and in two, and the progress is reported', async () => {
  const input = shifted(8_200);
  const reported: number[] = [];
  const one = await mutualNeighbours(input, 1, (fraction) => reported.push(fraction));
  expect(await mutualNeighbours(input, 2)).toEqual(one);
  expect(reported.length).toBeGreaterThan(2);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  expect(reported.at(-1)).toBe(1);
});

test('cells of a single batch, and names of batches that lost all cells, change nothing', async () => {
  const input = shifted(90);
  const single = { ...input, batches: new Int32Array(90).fill(1), batchCount: 3 };
  expect(await mutualNeighbours(single, 1)).toEqual({
    coordinates: input.coordinates,
    order: [1],
    paired: 0,
  });
  const withEmpty = { ...input, batches: input.batches.map((batch) => 2 * batch), batchCount: 4 };
  const { coordinates, order } = await mutualNeighbours(withEmpty, 1);
  expect(coordinates).toEqual((await mutualNeighbours(input, 1)).coordinates);
  expect(order).toEqual([0, 2]);
});
