import { expect, test } from 'vitest';
import { listPoints } from './listed-points.ts';
import {
  sampledNeighbours,
  nearestInLists,
  placesOfChunk,
  recallOf,
  requiredMatches,
} from './near-in-lists.ts';
import { joinNearestCells, nearestCells } from './nearest-cells.ts';
import { placePoints } from './placed-points.ts';

function seeded(): () => number {
  let state = 12_345;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const next = seeded();
const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
const k = 15;

function points(count: number, dimensions: number, draw: (point: number, dimension: number) => number) {
  const values = Float64Array.from({ length: count * dimensions }, (_, at) =>
    draw(Math.floor(at / dimensions), at % dimensions),
  );
  return { values, dimensions };
}

function exactly({ values, dimensions }: ReturnType<typeof points>, neighbours = k) {
  const count = values.length / dimensions;
  const nearest = nearestCells(placePoints(values, dimensions), neighbours, { from: 0, to: count });
  return joinNearestCells([nearest], count);
}

function inLists({ values, dimensions }: ReturnType<typeof points>, candidateCount?: number, neighbours = k) {
  const listed = listPoints(values, dimensions, seeded());
  const sample = Int32Array.from({ length: 300 }, (_, at) => Math.floor((at * listed.count) / 300));
  const exactNearest = sampledNeighbours(listed, neighbours, sample);
  const enough = candidateCount ?? requiredMatches(exactNearest, 0.988);
  const pieces = [];
  // In pieces, as threads search.
  for (let from = 0; from < listed.places.length; from += placesOfChunk)
    pieces.push(
      nearestInLists(listed, neighbours, {
        wanted: enough,
        from,
        to: Math.min(listed.places.length, from + placesOfChunk),
      }),
    );
  const joined = joinNearestCells(pieces, listed.count);
  return { ...joined, wanted: enough, recall: recallOf(exactNearest, joined.distances), exactNearest };
}

/** Share of neighbours, over all cells, that are no farther than the true k-th. */
function trueRecall(approximate: Float64Array, exact: Float64Array, neighbours = k): number {
  const matches = approximate.filter(
    (distance, at) => distance <= exact[neighbours * (Math.floor(at / neighbours) + 1) - 1]!,
  );
  return matches.length / exact.length;
}

const shapes = [
  ['clusters', points(5000, 20, (point, at) => 5 * Math.sin((point % 9) * (at + 1)) + normal())],
  ['one blob', points(4000, 12, () => normal())],
  ['a line', points(3000, 10, (point, at) => (at === 0 ? point + 0.4 * next() : normal() / 100))],
  ['few dimensions', points(3000, 2, () => next())],
  ['a cloud far from zero', points(3000, 8, () => 1e6 + normal())],
  ['a cloud with points far out', points(4000, 10, (point) => (point < 3 ? 1e4 : 1) * normal())],
] as const;

const searched = shapes.map(([name, shape]) => [name, shape, exactly(shape)] as const);

test.each(searched)('%s: nearly all neighbours are found in a part of the cells', (_, shape, exact) => {
  const nearest = inLists(shape);
  expect(trueRecall(nearest.distances, exact.distances)).toBeGreaterThan(0.97);
  expect(nearest.wanted).toBeLessThan(0.7 * (shape.values.length / shape.dimensions));
  // What is told of a sample is true of all.
  expect(Math.abs(nearest.recall - trueRecall(nearest.distances, exact.distances))).toBeLessThan(0.015);
});

test.each(searched)('%s: the neighbours in all cells are those of the exact search', (_, shape, exact) => {
  const nearest = inLists(shape, shape.values.length / shape.dimensions);
  expect(trueRecall(nearest.distances, exact.distances)).toBeGreaterThan(0.99);
  expect(nearest.recall).toBeGreaterThan(0.99);
  // Where the neighbour is the same, so is its distance, which is that of float64.
  const errors = nearest.distances
    .map((distance, at) => Math.abs(distance / exact.distances[at]! - 1))
    .filter((_, at) => nearest.indices[at] === exact.indices[at]);
  expect(errors.length / exact.indices.length).toBeGreaterThan(0.98);
  expect(Math.max(...errors)).toBeLessThan(1e-9);
});

test('the sample knows how far the k-th neighbour is', () => {
  const [, shape, exact] = searched[0]!;
  const { exactNearest } = inLists(shape);
  const errors = Array.from(exactNearest.cells, (cell, at) =>
    Math.abs(exactNearest.distances[at]! - exact.distances[cell * k + k - 1]!),
  );
  expect(errors).toHaveLength(300);
  expect(Math.max(...errors)).toBeLessThan(5e-10);
});

test('of points on one spot, which are more than a list holds, each has k others', () => {
  const shape = points(3600, 5, (point) => (point < 2700 ? 2 : normal()));
  const { indices, distances, wanted } = inLists(shape);
  const exact = exactly(shape);
  expect(trueRecall(distances, exact.distances)).toBeGreaterThan(0.97);
  expect(wanted).toBeLessThan(2700);
  const wrong = Array.from({ length: 3600 }, (_, cell) => cell).filter((cell) => {
    const others = new Set(indices.subarray(cell * k, (cell + 1) * k));
    return others.size !== k || others.has(cell);
  });
  expect(wrong).toEqual([]);
});

test('all points on one spot have neighbours without a distance', () => {
  const { indices, distances, recall } = inLists(points(2500, 3, () => 7));
  expect(distances.every((distance) => distance === 0)).toBe(true);
  expect(indices.every((cell, at) => cell !== Math.floor(at / k))).toBe(true);
  expect(recall).toBe(1);
});

test('more neighbours than a list has cells are found', () => {
  const [, shape] = shapes[1];
  const nearest = inLists(shape, undefined, 120);
  expect(trueRecall(nearest.distances, exactly(shape, 120).distances, 120)).toBeGreaterThan(0.97);
});
