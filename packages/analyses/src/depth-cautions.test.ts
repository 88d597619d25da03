import { expect, test } from 'vitest';
import { depthCautions, thinningLine } from './depth-cautions.ts';

const sides = { of: ['A', 'B'], ofCounts: true } as const;

test('two sides whose cells differ by less than 1.5 times in their counts have no caution', () => {
  expect(depthCautions([{ group: '', counts: 1490, others: 1000 }], sides)).toEqual([]);
  expect(depthCautions([{ group: '', counts: 1000, others: 1490 }], sides)).toEqual([]);
  expect(depthCautions([{ group: '', counts: NaN, others: 1490 }], sides)).toEqual([]);
});

test('from 1.2 times on a caution reports two sides where most of many genes go the way of the counts', () => {
  const side = (counts: number, higher: number, lower: number) =>
    depthCautions([{ group: '', counts, others: 1000, higher, lower }], sides).length;
  expect(side(1250, 80, 20)).toBe(1);
  expect(side(800, 20, 80)).toBe(1);
  // The other way, nearly as many, few, or hardly deeper.
  expect([side(1250, 20, 80), side(1250, 60, 40), side(1250, 10, 2), side(1100, 80, 20)]).toEqual([
    0, 0, 0, 0,
  ]);
});

test('the caution gives the side with more, the ratio and the genes in its direction', () => {
  const [caution] = depthCautions([{ group: '', counts: 1000, others: 3000, higher: 4, lower: 349 }], sides);
  expect(caution!.message).toMatch(
    /^A cell of B has 3\.0 times as many counts as one of A: 1,000 against 3,000\. Of 353 genes that differ, 349 are lower in A\. .*equal depth/,
  );
  expect(caution!.numbers).toMatchObject({ ratio: 0.3333, groupCount: 1 });
});

test('for the ends of a ranking a caution reports that the ranking follows the counts', () => {
  const [caution] = depthCautions([{ group: '', counts: 3000, others: 1000 }], { ...sides, areEnds: true });
  expect(caution!.message).toBe(
    'A cell of A has 3.0 times as many counts as one of B: 3,000 against 1,000. The ranking follows counts per cell, and genes may differ for this reason only: rank cells of one type.',
  );
});

test('of several groups the farthest apart are named first', () => {
  const [caution] = depthCautions(
    [
      { group: 'T cell', counts: 1000, others: 1600, higher: 1, lower: 9 },
      { group: 'B cell', counts: 1000, others: 1000, higher: 5, lower: 5 },
      { group: 'NK', counts: 4000, others: 1000, higher: 20, lower: 0 },
    ],
    { ...sides, ofCounts: false },
  );
  expect(caution!.message).toMatch(
    /^2 of 3 groups differ in counts per cell between A and B: NK \(4,000 against 1,000\), T cell \(1,000 against 1,600\)\. Of 30 genes that differ, 29 are higher where there are more counts\. Without raw counts/,
  );
  expect(caution!.numbers).toMatchObject({ groups: ['NK', 'T cell'], ratios: [4, 0.625] });
});

test('the line of a file says which sets were thinned, and that none was', () => {
  const set = (counts: number[]) => ({
    cells: Float64Array.from(counts, () => 100),
    counts: Float64Array.from(counts),
    others: new Float64Array(2),
  });
  const names = [['A', 'B']];
  const thinned = { sets: [set([3000, 1000])], shares: [Float64Array.of(1 / 3, 1)] };
  expect(thinningLine(thinned, names)).toContain(
    '(binomial, seed 0) to one geometric mean per cell; kept: A 33 % of 3,000;',
  );
  const even = { sets: [set([1000, 1000])], shares: [Float64Array.of(1, 1)] };
  expect(thinningLine(even, names)).toContain('no cells were thinned');
});
