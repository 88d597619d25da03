import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { keptApart, mergedGroups } from './kept-apart.ts';

const K = 4;
const CELLS = 120;
const groups = {
  codes: Int32Array.from({ length: CELLS }, (_, cell) => (cell < 60 ? 0 : 1)),
  names: ['T', 'B'],
};
const samples = Int32Array.from({ length: CELLS }, (_, cell) => Math.floor(cell / 30) % 2);

function nearest(alike: (cell: number) => number) {
  const indices = new Int32Array(CELLS * K);
  for (let cell = 0; cell < CELLS; cell++) {
    for (let count = 0, step = 1; count < K; step++) {
      const other = (cell + step) % CELLS;
      if (alike(other) === alike(cell)) indices[cell * K + count++] = other;
    }
  }
  return { indices, k: K };
}

const apart = nearest((cell) => groups.codes[cell]!);
const mixed = nearest((cell) => cell % 2);

test('groups that stay among their own are kept apart', () => {
  const result = keptApart({ before: apart, after: apart }, groups);
  expect(result.map(({ name, cells }) => [name, cells])).toEqual([
    ['T', 60],
    ['B', 60],
  ]);
  expect(result.every(({ before, after }) => before === 1 && after === 1)).toBe(true);
  expect(mergedGroups(result)).toEqual([]);
});

test('groups that lose their neighbourhood to others are merged, the greatest loss first', () => {
  // Two of three cells of B come to lie among T, so that T has 60 of 100 cells there, and they 40.
  const among = (cell: number) => (groups.codes[cell] === 1 && cell % 3 !== 0 ? 0 : groups.codes[cell]!);
  const random = seededRandom(2);
  const pools = [0, 1].map((pool) =>
    Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => among(cell) === pool),
  );
  const indices = Int32Array.from({ length: CELLS * K }, (_, at) => {
    const pool = pools[among(Math.floor(at / K))]!;
    return pool[Math.floor(random() * pool.length)]!;
  });
  const result = keptApart({ before: apart, after: { indices, k: K } }, groups);
  const merged = mergedGroups(result);
  expect(merged.map(({ name }) => name).toSorted()).toEqual(['B', 'T']);
  expect(merged[0]!.after).toBeLessThanOrEqual(merged[1]!.after);
  expect(merged[0]!.after).toBeCloseTo(0.6, 1);
});

test('within samples only neighbours of the same sample count, and small groups say nothing', () => {
  const [group] = keptApart({ before: mixed, after: mixed }, groups, samples);
  expect(group!.before).toBe(group!.after);
  const few = { codes: groups.codes.map((code, cell) => (cell < 10 ? 2 : code)), names: ['T', 'B', 'rare'] };
  expect(keptApart({ before: apart, after: apart }, few).map(({ name }) => name)).toEqual(['T', 'B']);
});
