import { readFileSync } from 'node:fs';
import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { blockOf } from '../axis/testing/block-of.ts';
import { createRandom } from '../random/seeded-random.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { splineBasis } from './spline-basis.ts';
import { curveTests, leastSquaresP, splineTests } from './spline-tests.ts';

/** Written by fixtures/analysis/replicated-curves-reference.R with limma. */
const { cases } = JSON.parse(
  readFileSync(new URL('./replicated-curves-reference.json', import.meta.url), 'utf8'),
) as {
  cases: {
    name: string;
    samples: number[];
    axis: number[];
    genes: number[][];
    degrees: number;
    ownDegrees: number;
    trace: number;
    variation: number[];
    below: number;
    F: number[];
    normality: number[];
    PValueOfCells: number[];
    PValue: number[];
  }[];
};

test.each(cases)('$name are the replicates of curves as with the squeezeVar of limma', (expected) => {
  const basis = splineBasis(
    Float64Array.from(expected.axis),
    expected.degrees,
    Int16Array.from(expected.samples),
  );
  const replicates = basis.replicates!;
  const tests = splineTests(blockOf(expected.genes), basis);
  const { f, p, below } = curveTests(tests, basis);
  const ofCells = curveTests(tests, { ...basis, replicates: undefined });
  expect(basis.degrees).toBe(expected.degrees);
  for (const [ours, theirs] of [
    [
      [replicates.degrees, replicates.trace, below],
      [expected.ownDegrees, expected.trace, expected.below],
    ],
    [tests.variation, expected.variation],
    [f, expected.F],
    [tests.normality, expected.normality],
    [ofCells.p, expected.PValueOfCells],
    [p, expected.PValue],
  ] as const) {
    expect(ours).toHaveLength(theirs.length);
    noteDifferences('replicated-curves', ours, theirs, 1e-6);
    const largest = theirs.reduce((max, one, at) => Math.max(max, Math.abs(ours[at]! / one - 1)), 0);
    expect(largest).toBeLessThan(1e-6);
  }
});

const [sampleCount, cellsOfSample, geneCount] = [6, 100, 300];

/** Genes that follow an axis in each sample in a way of its own, and in no common one. */
function ownCurves(seed: string) {
  const random = createRandom(seed);
  const samples = Int16Array.from({ length: sampleCount * cellsOfSample }, (_, cell) => cell % sampleCount);
  const axis = Float64Array.from(samples, () => random.gamma(2));
  const genes = Array.from({ length: geneCount }, () => {
    const slopes = Float64Array.from({ length: sampleCount }, () => 0.3 * random.normal());
    return Array.from(samples, (sample, cell) =>
      Math.fround(Math.log1p(Math.max(0, 2 + slopes[sample]! * axis[cell]! + random.normal()))),
    );
  });
  const basis = splineBasis(axis, 4, samples);
  const tested = splineTests(blockOf(genes), basis);
  return { pooled: leastSquaresP(tested, basis), replicated: curveTests(tested, basis) };
}

test('curves that samples do not share pass with cells as replicates, and not with samples', () => {
  const { pooled, replicated } = ownCurves('curves of their own');
  const called = (p: Float64Array) => benjaminiHochberg(p).filter((one) => one < 0.05).length;
  expect(called(pooled)).toBeGreaterThan(geneCount / 3);
  expect(called(replicated.p)).toBeLessThanOrEqual(2);
  const below = replicated.p.filter((p) => p < 0.05).length / geneCount;
  expect(below).toBeLessThan(0.1);
});

test('a gene of few cells has fewer degrees of freedom, and one of nearly none has no test', () => {
  const random = createRandom('few cells');
  const axis = Float64Array.from({ length: 600 }, () => random.gamma(2));
  const basis = splineBasis(axis, 4);
  const every = (step: number) => Array.from(axis, (_, cell) => Number(cell % step === 0));
  const tested = splineTests(blockOf([every(10), Array.from(axis, () => random.normal()), every(15)]), basis);
  expect(tested.normality[0]).toBeLessThan(0.9);
  expect(tested.normality[1]).toBeGreaterThan(0.95);
  expect(leastSquaresP(tested, basis)[2]).toBeGreaterThan(0);
  expect(curveTests(tested, basis).p[2]).toBeNaN();
});

test('one stratum, and strata of which one alone varies along the axis, are no replicates', () => {
  const axis = Float64Array.from({ length: 90 }, (_, cell) => cell);
  const samples = Int16Array.from(axis, (place) => Math.floor(place / 45));
  const one = splineBasis(axis, 4, new Int16Array(90));
  expect(one.replicates).toBeUndefined();
  const flat = axis.map((place, cell) => (samples[cell] === 0 ? 0 : place));
  expect(splineBasis(flat, 4, samples).replicates).toBeUndefined();
});
