import { readFileSync } from 'node:fs';
import { joinNearestCells, nearestCells, placePoints } from '@cellfolio/kernels';
import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { blockOf } from '../axis/testing/block-of.ts';
import { createRandom, negativeBinomial } from '../random/seeded-random.ts';
import { skewedUpperTail } from '../statistics/gamma-tail.ts';
import { normalUpperTail } from '../statistics/tails.ts';
import { type AutocorrelationSetting, localAutocorrelations, shuffledCells } from './autocorrelation.ts';
import { addToTotals } from './gene-entries.ts';
import { cellDepth } from './gene-model.ts';
import { localGraph } from './local-graph.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const expectedValues = read('./co-expression-reference.json') as {
  neighbours: number;
  points: number[];
  counts: number[][];
};
/** Written by fixtures/analysis/co_expression_null_reference.py with numpy and scipy. */
const reference = read('./co-expression-null-reference.json') as {
  z: number[];
  skewness: number[];
  p: number[];
  tails: [number, number, number][];
};

function settingOf(counts: number[][], points: Float32Array<ArrayBuffer>, neighbours: number) {
  const cellCount = counts[0]!.length;
  const placed = placePoints(points, points.length / cellCount);
  const nearest = nearestCells(placed, neighbours, { from: 0, to: cellCount });
  const placeOf = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const totals = new Float64Array(cellCount);
  const block = blockOf(counts);
  addToTotals(block, placeOf, totals);
  const setting: AutocorrelationSetting = {
    graph: localGraph(joinNearestCells([nearest], cellCount)),
    placeOf,
    depth: cellDepth(totals),
    model: 'danb',
    minCells: 1,
  };
  return { block, setting };
}

function largestDifference(ours: ArrayLike<number>, theirs: readonly number[], floor: number): number {
  expect(ours).toHaveLength(theirs.length);
  noteDifferences('co-expression-null', ours, theirs, floor);
  return theirs.reduce(
    (max, one, at) => Math.max(max, Math.abs(ours[at]! - one) / Math.max(floor, Math.abs(one))),
    0,
  );
}

test('the skewness of Z by chance, and p-values with it, are those of whole matrices and of scipy', () => {
  const { block, setting } = settingOf(
    expectedValues.counts,
    Float32Array.from(expectedValues.points),
    expectedValues.neighbours,
  );
  const { z, skewness, p } = localAutocorrelations(block, setting);
  const tails = reference.tails.map(([at, skew]) => skewedUpperTail(at, skew));
  const differences = [
    largestDifference(z, reference.z, 1e-3),
    largestDifference(skewness, reference.skewness, 1e-6),
    largestDifference(p, reference.p, 1e-12),
    largestDifference(
      tails,
      reference.tails.map(([, , tail]) => tail),
      1e-12,
    ),
  ];
  expect(Math.max(...differences)).toBeLessThan(1e-6);
});

test('p-values of shuffled cells hold their level far out, where Z taken for normal does not', () => {
  const random = createRandom('shuffled cells');
  const [cellCount, dimensions] = [400, 6];
  const points = Float32Array.from({ length: cellCount * dimensions }, () => random.normal());
  const counts = Array.from({ length: 120 }, () => {
    const mean = Math.exp(-3 + random.normal());
    return Array.from({ length: cellCount }, () => negativeBinomial(random, mean, 2));
  });
  const { block, setting } = settingOf(counts, points, 20);
  const tests = Array.from({ length: 60 }, (_, seed) =>
    localAutocorrelations(block, { ...shuffledCells(setting, seed), minCells: 10 }),
  );
  const share = (of: (one: (typeof tests)[number]) => Float64Array, limit: number) => {
    const ps = tests.flatMap((tested) => Array.from(of(tested))).filter((p) => !Number.isNaN(p));
    return ps.filter((p) => p < limit).length / ps.length;
  };
  const asNormal = ({ z }: (typeof tests)[number]) => z.map(normalUpperTail);
  expect(share(({ p }) => p, 0.05)).toBeGreaterThan(0.03);
  expect(share(({ p }) => p, 0.05)).toBeLessThan(0.07);
  expect(share(({ p }) => p, 1e-3)).toBeLessThan(1.5e-3);
  expect(share(asNormal, 1e-3)).toBeGreaterThan(1.8e-3);
});
