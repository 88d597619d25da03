import { expect, test } from 'vitest';
import { seededRandom } from './droplets/seeded-random.ts';
import { neighbourMixing } from './neighbour-mixing.ts';

const CELLS = 2000;
const K = 14;

/** Cells in a row of samples; the neighbours of each are among so many cells around it, or anywhere. */
function neighbours(reach: number) {
  const random = seededRandom(5);
  return {
    k: K,
    indices: Int32Array.from({ length: CELLS * K }, (_, at) => {
      const cell = Math.floor(at / K);
      return (cell + 1 + Math.floor(random() * reach)) % CELLS;
    }),
  };
}

const inBlocks = (sizes: readonly number[]) =>
  Int32Array.from(sizes.flatMap((size, sample) => new Array<number>(size).fill(sample)));

test('neighbours of the same sample stand for one sample', () => {
  const found = neighbourMixing(neighbours(3), inBlocks([800, 700, 500]))!;
  expect(found.effectiveSamples).toBeLessThan(1.02);
  expect(found.expectedSamples).toBeCloseTo(1 / (0.4 ** 2 + 0.35 ** 2 + 0.25 ** 2), 2);
});

test.each([[[800, 700, 500]], [[1800, 200]], [[1000, 1000]]])(
  'neighbours from anywhere stand for as many samples as mixed ones: sizes %j',
  (sizes) => {
    const found = neighbourMixing(neighbours(CELLS - 1), inBlocks(sizes))!;
    expect(found.effectiveSamples / found.expectedSamples).toBeCloseTo(1, 1);
  },
);

test('one sample has nothing to mix, and cells without a sample are left out', () => {
  expect(neighbourMixing(neighbours(3), inBlocks([2000]))).toBeUndefined();
  const codes = inBlocks([1000, 1000]).map((code, cell) => (cell % 3 === 0 ? -1 : code));
  expect(neighbourMixing(neighbours(3), codes)!.effectiveSamples).toBeLessThan(1.02);
});
