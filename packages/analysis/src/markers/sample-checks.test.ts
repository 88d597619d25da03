import { describe, expect, test } from 'vitest';
import { pairedTest, welchTest } from '../statistics/t-tests.ts';
import { cellGroups } from './cell-groups.ts';
import { checkedPart, sampleChecks, sampleSizes, SampleSums } from './sample-checks.ts';

const column = (codes: readonly number[], names: string[]) => ({
  kind: 'categorical' as const,
  codes: Int8Array.from(codes),
  categories: names,
  categoryType: 'string' as const,
  ordered: false,
});

const cells = Array.from({ length: 24 }, (_, cell) => cell);
const sampleOf = (cell: number) => Math.floor(cell / 6);
const samples = column(cells.map(sampleOf), ['S1', 'S2', 'S3', 'S4']);
const valueOf = (cell: number) => 1 + (cell % 6) * 0.25 + sampleOf(cell) ** 2 * 0.1 + (cell % 2) * 2;

function checked(groupCodes: readonly number[], sampleColumn = samples) {
  const groups = cellGroups(column(groupCodes, ['a', 'b']));
  const markers = [{ row: 7, group: 0 }];
  const sums = new SampleSums(groups, sampleColumn, markers);
  expect([...sums.rows]).toEqual([7]);
  // In two pieces, as a gene may be read.
  for (const part of [cells.slice(0, 10), cells.slice(10)]) {
    sums.add(0, Int32Array.from(part), Float32Array.from(part, valueOf));
  }
  const [markerSamples] = sums.markers();
  const of = checkedPart({ groups, sums, markers, rising: [true] });
  return { of, markerSamples: markerSamples!, checks: sampleChecks([of], 10) };
}

const mean = (of: readonly number[]) =>
  of.reduce((sum, cell) => sum + Math.fround(valueOf(cell)), 0) / of.length;
const ofSample = (sample: number, isIn: (cell: number) => boolean) =>
  mean(cells.filter((cell) => sampleOf(cell) === sample && isIn(cell)));

test('samples with cells on both sides are compared in pairs', () => {
  const isIn = (cell: number) => cell % 2 === 1;
  const { markerSamples, checks } = checked(cells.map((cell) => (isIn(cell) ? 0 : 1)));
  const means = (inside: boolean) => [0, 1, 2, 3].map((at) => ofSample(at, (cell) => isIn(cell) === inside));
  expect(Array.from(markerSamples.sums, (sum) => sum / 3)).toEqual(means(true));
  expect(pairedTest(means(true), means(false)).p).toBeLessThan(0.005);
  expect(checks).toMatchObject({
    sampleCount: 4,
    cellCount: 24,
    testable: 1,
    confirmed: 1,
    confirmedAdjusted: 1,
  });
  expect(checks.groups[0]).toEqual({ sampleCount: 4, largest: { sample: 0, share: 0.25 }, isTestable: true });
});

test('samples on one side each are compared by their means, with as many replicates as samples', () => {
  const { checks } = checked(cells.map((cell) => (sampleOf(cell) >= 2 ? 0 : 1)));
  const means = [0, 1, 2, 3].map((at) => ofSample(at, () => true));
  expect(welchTest(means.slice(2), means.slice(0, 2)).p).toBeGreaterThan(0.1);
  expect(checks).toMatchObject({ testable: 1, confirmed: 0, confirmedAdjusted: 0 });
});

test('a group that comes from one sample cannot be tested', () => {
  const { checks } = checked(cells.map((cell) => (sampleOf(cell) === 1 ? 0 : 1)));
  expect(checks).toMatchObject({ markerCount: 1, testable: 0, confirmed: 0 });
  expect(checks.groups[0]).toEqual({ sampleCount: 1, largest: { sample: 1, share: 1 }, isTestable: false });
});

test('the effective number of cells is that of the samples where cells of a sample are all alike', () => {
  const groups = cellGroups(
    column(
      cells.map(() => 0),
      ['a'],
    ),
  );
  const markers = [{ row: 0, group: 0 }];
  const sums = new SampleSums(groups, samples, markers);
  sums.add(
    0,
    Int32Array.from(cells),
    Float32Array.from(cells, (cell) => 1 + sampleOf(cell)),
  );
  const checks = sampleChecks([checkedPart({ groups, sums, markers, rising: [true] })], 1);
  expect(checks.intraclassCorrelation).toBe(1);
  expect(checks.effectiveCells).toBeCloseTo(4, 12);
});

test('of groups that were compared apart, tests add up and the rest is that of their own cells', () => {
  const isIn = (cell: number) => cell % 2 === 1;
  const first = checked(cells.map((cell) => (isIn(cell) ? 0 : 1)));
  const second = checked(cells.map((cell) => (sampleOf(cell) >= 2 ? 0 : 1)));
  const both = sampleChecks([first.of, second.of], 10);
  expect(both).toMatchObject({ sampleCount: 4, cellCount: 48, markerCount: 2, testable: 2, confirmed: 1 });
  expect(both.groups).toEqual([...first.checks.groups, ...second.checks.groups]);
  expect(both.intraclassCorrelation).toBeCloseTo(
    (first.checks.intraclassCorrelation + second.checks.intraclassCorrelation) / 2,
    12,
  );
});

test('samples of a group and a reference have the tests of these cells alone', () => {
  const three = cells.map((cell) => (sampleOf(cell) === 3 ? 1 : 2 * (cell % 2)));
  const groups = cellGroups(column(three, ['a', 'other', 'reference']));
  const reference = 2;
  const markers = [{ row: 7, group: 0 }];
  const values = Float32Array.from(cells, valueOf);
  const sums = new SampleSums(groups, samples, markers, reference);
  sums.add(0, Int32Array.from(cells), values);
  const checks = sampleChecks([checkedPart({ groups, reference, sums, markers, rising: [true] })], 1);
  const only = cells.filter((cell) => three[cell] !== 1);
  const two = cellGroups(
    column(
      cells.map((cell) => [0, -1, 1][three[cell]!]!),
      ['a', 'reference'],
    ),
    {
      bits: Uint8Array.from(three, (code) => (code === 1 ? 0 : 1)),
      count: only.length,
    },
  );
  const alone = new SampleSums(two, samples, markers);
  alone.add(0, Int32Array.from(only), Float32Array.from(only, valueOf));
  const expected = checkedPart({ groups: two, sums: alone, markers, rising: [true] });
  expect(expected.tests[0]!.p).toBeLessThan(1);
  expect(checkedPart({ groups, reference, sums, markers, rising: [true] }).tests).toEqual(expected.tests);
  expect(checks.groups[0]).toEqual(sampleChecks([expected], 1).groups[0]);
});

describe('with raw counts', () => {
  const isIn = (cell: number) => cell % 2 === 1;
  const groups = cellGroups(
    column(
      cells.map((cell) => (isIn(cell) ? 0 : 1)),
      ['a', 'b'],
    ),
  );
  const markers = [{ row: 0, group: 0 }];
  /** Total counts of each cell by `totalOf`, of which the gene has the share `shareOf`. */
  function counted(totalOf: (cell: number) => number, shareOf: (cell: number) => number) {
    const totals = Float64Array.from(cells, totalOf);
    const [values, counts] = [0, 1].map(() => new SampleSums(groups, samples, markers));
    const own = cells.map((cell) => Math.round(totals[cell]! * shareOf(cell)));
    counts!.add(0, Int32Array.from(cells), Float32Array.from(own));
    values!.add(
      0,
      Int32Array.from(cells),
      Float32Array.from(own, (count) => Math.log1p(count)),
    );
    const raw = { sums: counts!, sizes: sampleSizes(groups, samples, totals) };
    const check = (of: typeof raw | undefined) =>
      sampleChecks([checkedPart({ groups, sums: values!, markers, rising: [true], counted: of })], 1);
    return { ...raw, checks: check(raw), ofValues: check(undefined) };
  }
  const noise = (cell: number) => 1 + 0.1 * Math.sin(7 * sampleOf(cell));

  test('sizes of samples are the counts of all genes in them, inside the group and outside', () => {
    const { sizes } = counted(
      (cell) => (isIn(cell) ? 1000 : 100),
      () => 0.1,
    );
    expect([...sizes]).toEqual([3000, 3000, 3000, 3000, 300, 300, 300, 300, 0, 0, 0, 0]);
  });

  test('a gene that is higher by depth alone is kept by means of values, and not by counts per million', () => {
    const { checks, ofValues } = counted(
      (cell) => 1000 * noise(cell) * (isIn(cell) ? 5 : 1),
      (cell) => 0.1 * noise(cell + 6),
    );
    expect(ofValues).toMatchObject({ ofCounts: false, testable: 1, confirmed: 1 });
    expect(checks).toMatchObject({ ofCounts: true, testable: 1, confirmed: 0 });
  });

  test('the test is that of log counts per million, raised by two counts of the side with fewer', () => {
    const { checks, sums, sizes } = counted(
      (cell) => 1000 * noise(cell) * (isIn(cell) ? 1 : 5),
      (cell) => 0.1 * noise(cell + 6) * (isIn(cell) ? 3 : 1),
    );
    const [markerSamples] = sums.markers();
    const prior = 2 / (sizes.slice(0, 4).reduce((sum, size) => sum + size, 0) / 4);
    const logs = (own: Float64Array, from: number) =>
      Array.from(own, (sum, sample) => Math.log2(sum / sizes[from + sample]! + prior));
    const { p } = pairedTest(logs(markerSamples!.sums, 0), logs(markerSamples!.restSums, 4));
    expect(p).toBeLessThan(0.05);
    expect(checks.confirmed).toBe(1);
  });

  test('a sample without counts on a side is no replicate', () => {
    const { checks } = counted(
      (cell) => (isIn(cell) && sampleOf(cell) < 3 ? 0 : 100),
      () => 0.1,
    );
    expect(checks).toMatchObject({ testable: 0, confirmed: 0 });
  });
});

test('cells without a sample count nowhere', () => {
  const withoutLast = column(
    cells.map((cell) => (sampleOf(cell) === 3 ? -1 : sampleOf(cell))),
    ['S1', 'S2', 'S3'],
  );
  const { checks } = checked(
    cells.map((cell) => cell % 2),
    withoutLast,
  );
  expect(checks).toMatchObject({ sampleCount: 3, cellCount: 18 });
});
