import { expect, test } from 'vitest';
import { RankSorter } from './rank-sorter.ts';

/** Seeded whole numbers below a limit. */
function numbers(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** The keys as the sorter leaves them, and the places that they came from: its slots. */
function sorted(sorter: RankSorter, keys: Int32Array) {
  for (let i = 0; i < keys.length; i++) {
    sorter.work[2 * i] = keys[i]!;
    sorter.work[2 * i + 1] = i;
  }
  const first = sorter.sort(keys.length);
  const pairs = sorter.work.slice(first, first + 2 * keys.length);
  return { keys: keys.map((_, i) => pairs[2 * i]!), places: keys.map((_, i) => pairs[2 * i + 1]!) };
}

const shapes: [string, (random: (limit: number) => number, i: number) => number][] = [
  ['spread over all integers', (random) => random(2 ** 32) - 2 ** 31],
  ['close together', (random) => 1_065_353_216 + random(1000)],
  ['equal', () => 7],
  ['of few values', (random) => random(3) * 1e8],
  ['crowded at one end, far from one other', (random, i) => (i === 5 ? 2 ** 31 - 1 : random(5000))],
  [
    'crowded at both ends of all integers',
    (random) => (random(2) ? 2 ** 31 - 1 - random(900) : random(900) - 2 ** 31),
  ],
  ['rising', (_, i) => i * 3],
  ['falling', (_, i) => -i * 1000],
];

test.each(shapes)('keys that are %s come out in order with their slots', (_, key) => {
  const random = numbers(1234);
  for (const count of [0, 1, 2, 3, 24, 25, 100, 3000, 20_000]) {
    const keys = Int32Array.from({ length: count }, (__, i) => key(random, i));
    const sorter = new RankSorter(count);
    // Twice, with the arrays used again.
    for (let round = 0; round < 2; round++) {
      const found = sorted(sorter, keys);
      expect(found.keys).toEqual(keys.toSorted());
      expect(Int32Array.from(found.places, (place) => keys[place]!)).toEqual(found.keys);
      expect(new Set(found.places).size).toBe(count);
    }
  }
});
