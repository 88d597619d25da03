import { expect, test } from 'vitest';
import { addCellSums, addGeneSums, mergeSums, otherGene, pairSum } from './entry-sums.ts';

const byGene = { firstGene: 0, starts: [0, 2, 5], cells: Int32Array.of(0, 2, 0, 1, 2) };
const byCell = { firstCell: 0, starts: [0, 2, 3, 5], genes: Int32Array.of(0, 1, 1, 0, 1) };
const genes = (values: Float32Array | Float64Array) => {
  const sums = new Int32Array(2);
  addGeneSums(sums, { ...byGene, values });
  return sums;
};

test.each([Float32Array, Float64Array])('entries by gene and by cell have the same sums (%o)', (Values) => {
  const values = Values.of(20_000_000, 1.5, 3, -4, NaN);
  const sums = new Int32Array(2);
  addCellSums(sums, {
    ...byCell,
    values: Values.of(values[0]!, values[2]!, values[3]!, values[1]!, values[4]!),
  });
  expect(sums).toEqual(genes(values));
  expect(otherGene(sums, genes(values))).toBeUndefined();
});

test.each([Float32Array, Float64Array])(
  'another value, or values that changed places, show (%o)',
  (Values) => {
    const sums = genes(Values.of(1, 2, 3, 4, 5));
    for (const other of [Values.of(1, 2, 3, 4, 6), Values.of(1, 2, 4, 3, 5), Values.of(1, 2, 3, 0, 5)])
      expect(otherGene(sums, genes(other))).toBe(1);
    expect(otherGene(sums, genes(Values.of(2, 1, 3, 4, 5)))).toBe(0);
  },
);

test('zeros of either sign count for nothing, and every NaN for the same', () => {
  expect(genes(Float32Array.of(0, -0, 1, 0, 0))[0]).toBe(0);
  const odd = Float32Array.of(1, 1, 1, 1, 1);
  new Int32Array(odd.buffer)[4] = 0x7fa0_0001;
  expect(genes(odd)).toEqual(genes(Float32Array.of(1, 1, 1, 1, NaN)));
});

test('entries that are added up take the place of their sum', () => {
  const sums = new Int32Array(1);
  const add = (cells: Int32Array, values: Float64Array, into: Int32Array) =>
    addGeneSums(into, { firstGene: 0, starts: [0, cells.length], cells, values });
  add(Int32Array.of(7, 7), Float64Array.of(2, 2 ** 25), sums);
  mergeSums(sums, { gene: 0, cell: 7, parts: [2, 2 ** 25] }, true);
  const expected = new Int32Array(1);
  add(Int32Array.of(7), Float64Array.of(2 ** 25 + 2), expected);
  expect(sums).toEqual(expected);
});

test('pairs of cells and values have the sums of their entries', () => {
  const pairs = new Int32Array(4);
  pairs[2] = 2;
  new Float32Array(pairs.buffer)[1] = 4;
  new Float32Array(pairs.buffer)[3] = 0.25;
  expect(pairSum(pairs, 0, 2)).toBe(genes(Float32Array.of(4, 0.25, 1, 1, 1))[0]);
});
