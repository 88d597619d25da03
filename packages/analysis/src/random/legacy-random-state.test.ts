import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LegacyRandomState } from './legacy-random-state.ts';

/** Written by fixtures/analysis/random_reference.py. */
interface Reference {
  words: readonly { seed: number; values: number[] }[];
  late: { seed: number; skip: number; values: number[] };
  permutations: readonly { seed: number; count: number; values: number[] }[];
  choices: { seed: number; draws: [number, number][]; values: number[][] };
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'random-reference.json'), 'utf8'),
) as Reference;

const draw = (random: LegacyRandomState, count: number) =>
  Array.from({ length: count }, () => random.nextUint32());

test.each(reference.words)('the first words after seed $seed are those of numpy', ({ seed, values }) => {
  expect(draw(new LegacyRandomState(seed), values.length)).toEqual(values);
});

test('the words go on as in numpy after the state was mixed again', () => {
  const { seed, skip, values } = reference.late;
  const random = new LegacyRandomState(seed);
  draw(random, skip);
  expect(draw(random, values.length)).toEqual(values);
});

test.each(reference.permutations)(
  'the permutation of $count numbers after seed $seed is that of numpy',
  ({ seed, count, values }) => {
    expect([...new LegacyRandomState(seed).permutation(count)]).toEqual(values);
  },
);

test('choices without replacement follow one another in one stream as in numpy', () => {
  const { seed, draws, values } = reference.choices;
  const random = new LegacyRandomState(seed);
  expect(draws.map(([count, size]) => Array.from(random.choice(count, size)))).toEqual(values);
});

test.each([-1, 0.5, 2 ** 32, NaN])('the seed %s is refused', (seed) => {
  expect(() => new LegacyRandomState(seed)).toThrow(RangeError);
});

test('more numbers than there are cannot be chosen', () => {
  expect(() => new LegacyRandomState(0).choice(3, 4)).toThrow('Cannot draw 4 different numbers out of 3.');
});
