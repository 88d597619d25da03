import { describe, expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { sideComposition } from '../comparisons/side-composition.ts';
import { endHistogram } from './end-histogram.ts';
import { valueEnds } from './value-ends.ts';

type ReferenceEnd = readonly [cells: number, bound: number | null, tied: number];

interface ReferenceCase {
  title: string;
  values: readonly (number | null)[];
  samples: readonly number[];
  share: number;
  minCells: number;
  sides: readonly number[];
  ends: readonly {
    sample: number;
    cells: number;
    high: ReferenceEnd;
    low: ReferenceEnd;
    leftOut: string | null;
  }[];
  withoutValue: number;
  withoutSample: number;
  groups?: readonly number[];
  composition?: {
    high: readonly number[];
    low: readonly number[];
    distance: number;
  };
}

const cases = readReference<readonly ReferenceCase[]>(new URL('ends-reference.json', import.meta.url));
const valuesOf = ({ values }: ReferenceCase) => Float64Array.from(values, (value) => value ?? NaN);
const ranked = (referenceCase: ReferenceCase) => ({
  values: valuesOf(referenceCase),
  samples: { codes: referenceCase.samples, count: Math.max(...referenceCase.samples) + 1 },
});

describe.each(cases)('$title', (referenceCase) => {
  const ends = valueEnds(ranked(referenceCase), referenceCase);

  test('has the ends that ranks of pandas give', () => {
    expect(Array.from(ends.sides)).toEqual(referenceCase.sides);
    const end = ({ cells, bound, tied }: (typeof ends.samples)[number]['high']) => [
      cells,
      Number.isNaN(bound) ? null : bound,
      tied,
    ];
    expect(
      ends.samples
        .filter(({ leftOut }) => leftOut !== 'no-spread')
        .map(({ sample, cells, high, low, leftOut = null }) => ({
          sample,
          cells,
          high: end(high),
          low: end(low),
          leftOut,
        })),
    ).toEqual(referenceCase.ends);
    expect([ends.withoutValue, ends.withoutSample]).toEqual([
      referenceCase.withoutValue,
      referenceCase.withoutSample,
    ]);
  });

  test('has a histogram with every ranked cell in it once', () => {
    const { bins, floor } = endHistogram(valuesOf(referenceCase), ends);
    const all = [...bins, ...(floor ? [floor.counts] : [])];
    const sum = (count: (bin: (typeof all)[number]) => number) =>
      all.reduce((total, bin) => total + count(bin), 0);
    const on = (side: number) => referenceCase.sides.filter((one) => one === side).length;
    expect([sum(({ high }) => high), sum(({ low }) => low)]).toEqual([on(0), on(1)]);
    expect(sum(({ other }) => other)).toBe(
      referenceCase.values.length - referenceCase.withoutValue - on(0) - on(1),
    );
  });
});

test.each(cases.filter(({ composition }) => composition))(
  '$title: both ends are made of the same',
  (referenceCase) => {
    const groups = referenceCase.groups!;
    const categories = Array.from({ length: Math.max(...groups) + 1 }, (_, code) => `G${code}`);
    const composition = sideComposition(valueEnds(ranked(referenceCase), referenceCase).sides, {
      codes: Int32Array.from(groups),
      categories,
    });
    expect(Array.from(composition.a)).toEqual(referenceCase.composition!.high);
    expect(Array.from(composition.b)).toEqual(referenceCase.composition!.low);
    expect(composition.distance).toBeCloseTo(referenceCase.composition!.distance, 12);
    const labelled = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
    expect(composition.unlabelled.a + labelled(referenceCase.composition!.high)).toBe(
      referenceCase.sides.filter((side) => side === 0).length,
    );
  },
);

test('only cells of the mask are ranked, and counted as lacking a value', () => {
  const values = Float64Array.from({ length: 40 }, (_, cell) => (cell === 3 ? NaN : cell));
  const bits = Uint8Array.from(values, (_, cell) => Number(cell < 20));
  const ends = valueEnds({ values, bits }, { share: 10, minCells: 1 });
  expect([...ends.sides.keys()].filter((cell) => ends.sides[cell] === 0)).toEqual([19]);
  expect([...ends.sides.keys()].filter((cell) => ends.sides[cell] === 1)).toEqual([0]);
  expect(ends.withoutValue).toBe(1);
  const { bins } = endHistogram(values, ends, bits);
  expect(bins.reduce((sum, { high, low, other }) => sum + high + low + other, 0)).toBe(19);
});

test('a least value that a fifth of the cells have is no bin, but a floor of its own', () => {
  const values = Float64Array.from({ length: 100 }, (_, cell) => Math.max(0, cell - 60));
  const { floor, range, bins } = endHistogram(values, { sides: new Uint8Array(100).fill(2) });
  expect([floor?.value, floor?.counts.other]).toEqual([0, 61]);
  expect(range).toEqual([1, 39]);
  expect(bins.reduce((sum, { other }) => sum + other, 0)).toBe(39);
});

test.each([0, -1, 50.5, NaN])('a share of %s percent is refused', (share) => {
  expect(() => valueEnds({ values: new Float64Array(10) }, { share, minCells: 1 })).toThrow(RangeError);
});

test('samples and groups of other cells are refused', () => {
  const values = new Float64Array(10);
  const samples = { codes: new Int8Array(9), count: 1 };
  expect(() => valueEnds({ values, samples }, { share: 10, minCells: 1 })).toThrow('do not fit');
  const groups = { codes: new Int8Array(9), categories: ['x'] };
  expect(() => sideComposition(new Uint8Array(10), groups)).toThrow('do not fit');
});
