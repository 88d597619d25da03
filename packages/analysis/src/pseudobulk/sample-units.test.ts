import { expect, test } from 'vitest';
import { isOnBothSides, replicatesOnSides, unitsOfSamples, valueCount } from './sample-units.ts';

const labels = (values: readonly (string | null)[]) => {
  const categories = [...new Set(values.filter((value) => value !== null))];
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : categories.indexOf(value)));
  return { categories, codes };
};
const lanes = labels(['s1', 's1', 's2', 's3', 's4', 's4', null]);

test('samples are in units where each is in one, of several, and fewer than samples', () => {
  const units = (...values: (string | null)[]) => unitsOfSamples(lanes, 'mouse', labels(values));
  expect(units('m1', 'm1', 'm1', 'm2', 'm2', 'm2', 'm2')).toEqual({
    column: 'mouse',
    values: 2,
    name: 'individual',
  });
  // A cell without a sample may be of any unit.
  expect(units('m1', 'm1', 'm1', 'm2', 'm2', 'm2', 'm9')?.values).toBe(2);
  expect(units('m1', 'm2', 'm1', 'm2', 'm2', 'm2', null)).toBeUndefined();
  expect(units('m1', null, 'm1', 'm2', 'm2', 'm2', null)).toBeUndefined();
  expect(units('m1', 'm1', 'm1', 'm1', 'm1', 'm1', null)).toBeUndefined();
  expect(units('m1', 'm1', 'm2', 'm3', 'm4', 'm4', null)).toBeUndefined();
});

test('attributes hold samples too, and are no units; other names leave it open', () => {
  const halves = labels(['x', 'x', 'x', 'y', 'y', 'y', null]);
  for (const column of ['sex', 'batch', 'donor_age']) {
    expect(unitsOfSamples(lanes, column, halves)).toBeUndefined();
  }
  expect(unitsOfSamples(lanes, 'Xyz', halves)).toEqual({ column: 'Xyz', values: 2, name: undefined });
});

test('a side has replicates with two values or more', () => {
  const sides = (a: number[], b: number[]) => ({ a: Float64Array.from(a), b: Float64Array.from(b) });
  expect(replicatesOnSides(sides([3, 1, 0, 0], [0, 0, 5, 2]))).toBe(true);
  expect(replicatesOnSides(sides([3, 1, 0, 0], [0, 0, 5, 0]))).toBe(false);
  expect(isOnBothSides(sides([3, 1, 0, 0], [0, 0, 5, 2]))).toBe(false);
  expect(isOnBothSides(sides([3, 1], [0, 2]))).toBe(true);
  expect(valueCount({ codes: Int32Array.of(2, -1, 0, 2), categories: ['a', 'b', 'c'] })).toBe(2);
});
