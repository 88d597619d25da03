import { valueEnds } from '@cellfolio/analysis';
import { expect, test } from 'vitest';
import { endCautions } from './cautions.ts';
import type { RankedEnds } from './ranked-ends.ts';

function ends(values: number[], overrides: Partial<RankedEnds> = {}): RankedEnds {
  const baseEnds = valueEnds({ values: Float64Array.from(values) }, { share: 10, minCells: 2 });
  const none = { bits: new Uint8Array(values.length), count: 0 };
  return {
    ...baseEnds,
    high: none,
    low: none,
    samples: baseEnds.samples.map((sample) => Object.assign({ name: 'S1' }, sample)),
    histogram: { range: [0, 1], bins: [] },
    composition: undefined,
    title: 'CD8A',
    rankedBy: 'the expression of CD8A',
    share: 10,
    minCells: 2,
    sampleColumn: { column: 'donor', reason: 'x' },
    groupColumn: 'cell_type',
    untested: [{ row: 0, symbol: 'CD8A' }],
    scoreCautions: [],
    ...overrides,
  };
}
const rising = Array.from({ length: 100 }, (_, cell) => cell);
const composition = (high: number[], low: number[], distance: number) => ({
  a: Float64Array.from(high),
  b: Float64Array.from(low),
  unlabelled: { a: 0, b: 0 },
  distance,
  chance: 0,
  names: ['T', 'B'],
});
const codes = (rankedEnds: RankedEnds) => endCautions(rankedEnds).map(({ code }) => code);
const messageOf = (rankedEnds: RankedEnds, code: string) =>
  endCautions(rankedEnds).find((caution) => caution.code === code)?.message;

test('ends without ties and of the same groups have the one caution that all ends have', () => {
  expect(codes(ends(rising, { composition: composition([6, 4], [5, 5], 0.1) }))).toEqual(['ends-by-ranking']);
});

test('ends of other groups come first, with the distance and the shares that make it', () => {
  const rankedEnds = ends(rising, { composition: composition([9, 1], [4, 6], 0.5) });
  expect(codes(rankedEnds)[0]).toBe('ends-of-other-groups');
  expect(messageOf(rankedEnds, 'ends-of-other-groups')).toMatch(
    /^The ends differ in .* for 50\.0 % of their cells \(most: T 90\.0 % against 40\.0 %\).*rank the cells of one group/,
  );
});

test('zeros that are most of the low end are counted, with the share that it has', () => {
  const rankedEnds = ends(rising.map((value) => Math.max(0, value - 60)));
  expect(codes(rankedEnds)).toContain('low-end-tied');
  expect(messageOf(rankedEnds, 'low-end-tied')).toContain(
    'The lowest end is the cells without CD8A: all 61 are tied',
  );
  expect(messageOf(rankedEnds, 'low-end-tied')).toContain('61.0 % of all cells instead of 10 %');
});

test('zeros that reach into the highest end make it shorter, and a caution reports it', () => {
  const rankedEnds = ends(rising.map((value) => Math.max(0, value - 95)));
  expect(messageOf(rankedEnds, 'high-end-short')).toContain('4 or 4.0 % in all');
});

test('samples that are left out are named with the reason', () => {
  const [sample] = ends(rising).samples;
  const samples = [
    sample!,
    { ...sample!, name: 'S2', leftOut: 'few-cells' as const },
    { ...sample!, name: 'S3', leftOut: 'no-spread' as const },
  ];
  expect(messageOf(ends(rising, { samples }), 'samples-without-ends')).toBe(
    'Samples left out with fewer than 2 cells in an end: S2 (10 and 10); with the same value in all cells: S3. Lower the minimum, or choose a larger share.',
  );
});

test('cells that are not ranked are counted, and all cells ranked together are a caution', () => {
  const rankedEnds = ends(rising, { withoutValue: 1, withoutSample: 5, sampleColumn: undefined });
  expect(codes(rankedEnds)).toEqual(['ends-by-ranking', 'ranked-over-all-cells', 'cells-not-ranked']);
  expect(messageOf(rankedEnds, 'cells-not-ranked')).toContain('1 cell without a value to rank by');
});
