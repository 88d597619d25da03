import { expect, test } from 'vitest';
import { createRandom } from '../random/seeded-random.ts';
import { hasOtherComposition, isByComposition, sideComposition } from './side-composition.ts';

const counted = (a: number[], b: number[]) => {
  const codes = [...a, ...b].flatMap((cells, at) => new Array<number>(cells).fill(at % a.length));
  const inA = a.reduce((sum, cells) => sum + cells, 0);
  const sides = Uint8Array.from(codes, (_, cell) => Number(cell >= inA));
  return sideComposition(sides, { codes: Int32Array.from(codes), categories: a.map(String) });
};

test('the distance is half of what the shares differ by, whatever the sides have of cells', () => {
  expect(counted([30, 30, 30, 90], [30, 30, 30, 30]).distance).toBeCloseTo(0.25, 12);
  expect(counted([300, 300], [10, 10]).distance).toBe(0);
  expect(counted([0, 5], [5, 0]).distance).toBe(1);
  expect(counted([], []).distance).toBeNaN();
});

test('sides differ beyond the limit and beyond chance alone', () => {
  expect(hasOtherComposition(counted([1200, 800], [1000, 1000]))).toBe(false);
  expect(hasOtherComposition(counted([1300, 700], [1000, 1000]))).toBe(true);
  // The same shares of few cells.
  expect(hasOtherComposition(counted([13, 7], [10, 10]))).toBe(false);
  expect(hasOtherComposition(counted([], []))).toBe(false);
});

test.each([20, 100, 500, 2000])('%i cells a side of one population seldom differ so', (cells) => {
  const random = createRandom('chance');
  const drawn = () => {
    const counts = new Array<number>(8).fill(0);
    for (let cell = 0; cell < cells; cell++) counts[Math.floor(8 * random.uniform())]!++;
    return counts;
  };
  const spoken = Array.from({ length: 200 }, () => hasOtherComposition(counted(drawn(), drawn())));
  expect(spoken.filter(Boolean).length).toBeLessThanOrEqual(16);
});

test('samples that vary in their shares hide a difference that cells would show, and pairs do not', () => {
  const random = createRandom('samples');
  const cells: { side: number; type: number; sample: number }[] = [];
  for (let sample = 0; sample < 8; sample++) {
    for (const side of [0, 1]) {
      // Samples have a tenth to two thirds of the first type, and 0.14 more of it in A.
      const share = 0.1 + 0.08 * sample + (side === 0 ? 0.14 : 0);
      for (let cell = 0; cell < 200; cell++)
        cells.push({ side, sample, type: Number(random.uniform() > share) });
    }
  }
  const sides = Uint8Array.from(cells, ({ side }) => side);
  const types = { codes: Int8Array.from(cells, ({ type }) => type), categories: ['x', 'y'] };
  const samples = (codeOf: (cell: (typeof cells)[number]) => number, count: number) => ({
    codes: Int8Array.from(cells, codeOf),
    categories: Array.from({ length: count }, (_, code) => `${code}`),
  });
  const apart = samples(({ sample, side }) => 2 * sample + side, 16);
  const pairs = samples(({ sample }) => sample, 8);
  const [ofCells, ofSamples, ofPairs] = [undefined, apart, pairs].map((units) =>
    sideComposition(sides, types, units),
  );
  expect(ofCells!.distance).toBeCloseTo(0.14, 1);
  expect([ofCells!, ofSamples!, ofPairs!].map(hasOtherComposition)).toEqual([true, false, true]);
  // One sample says nothing of how samples vary.
  const alone = sideComposition(
    sides,
    types,
    samples(() => 0, 1),
  );
  expect(hasOtherComposition(alone)).toBe(false);
});

test('a gene of a type that grows differs by the shares, one that changes in each type does not', () => {
  const cells = { a: Float64Array.of(50, 50), b: Float64Array.of(25, 75) };
  const sums = (meanA: number[], meanB: number[]) => ({
    a: cells.a.map((count, at) => count * meanA[at]!),
    b: cells.b.map((count, at) => count * meanB[at]!),
  });
  expect(isByComposition(sums([4, 1], [4, 1]), cells)).toBe(true);
  expect(isByComposition(sums([2, 2], [1, 1]), cells)).toBe(false);
  // 0.25 × (4.5 − 1.5) by the shares, and 1 × 0.375 + 1 × 0.625 within.
  expect(isByComposition(sums([5, 2], [4, 1]), cells)).toBe(false);
  // A type that one side lacks says nothing of changes within.
  const alone = { a: Float64Array.of(50, 50), b: Float64Array.of(0, 100) };
  expect(isByComposition({ a: Float64Array.of(200, 50), b: Float64Array.of(0, 100) }, alone)).toBe(true);
});
