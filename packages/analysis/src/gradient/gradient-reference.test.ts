import { readFileSync } from 'node:fs';
import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { axisOrder } from '../axis/axis-order.ts';
import { correlationP, genesAlongAxis } from '../axis/genes-along-axis.ts';
import { blockOf } from '../axis/testing/block-of.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { normalUpperQuantile } from '../statistics/normal-quantile.ts';
import { correlationsWithin, sampleRanks } from './correlations-within.ts';
import { splineBasis } from './spline-basis.ts';
import { leastSquaresP, splineTests } from './spline-tests.ts';

type Fitted = [number, number, number] | null;
interface Splines {
  degrees: number;
  knots: number[];
  plain: Fitted[];
  inSamples: Fitted[];
}

/** Written by fixtures/analysis/gradient_reference.py with scipy, patsy and statsmodels. */
const reference = JSON.parse(readFileSync(new URL('./gradient-reference.json', import.meta.url), 'utf8')) as {
  samples: number[];
  axis: number[];
  zeros: number[];
  genes: number[][];
  ranked: { rho: (number | null)[]; p: (number | null)[]; adjusted: number[] };
  within: ({ rho: number; p: number; tested: number; agreeing: number } | null)[];
  splines: Splines[];
  ofZeros: Splines;
  bins: { sizes: number[]; places: number[] }[];
  quantiles: [number, number][];
};
const axis = Float64Array.from(reference.axis);
const block = blockOf(reference.genes);
const sampleCount = 5;
const strata = Int16Array.from(reference.samples);

function expectClose(ours: ArrayLike<number>, theirs: ArrayLike<number>, floor: number): void {
  expect(ours.length).toBe(theirs.length);
  noteDifferences('gradient', ours, theirs, floor);
  for (let at = 0; at < theirs.length; at++) {
    const error = Math.abs(ours[at]! - theirs[at]!) / Math.max(floor, Math.abs(theirs[at]!));
    expect(error < 1e-6 || `${at}: ${ours[at]} instead of ${theirs[at]}`).toBe(true);
  }
}

const isThere = <T>(candidate: T | null): candidate is T => candidate !== null;

test('correlations over all cells, their p-values and the adjusted are those of scipy, without constant genes', () => {
  const alongAxis = genesAlongAxis(block, axisOrder(axis, 9));
  const { rho, p, adjusted } = reference.ranked;
  const tested = rho.flatMap((one, gene) => (one === null ? [] : [gene]));
  expect([...alongAxis.rho.keys()].filter((gene) => !Number.isNaN(alongAxis.rho[gene]))).toEqual(tested);
  const ours = Float64Array.from(tested, (gene) => alongAxis.rho[gene]!);
  expectClose(ours, rho.filter(isThere), 1e-3);
  const ps = ours.map((one) => correlationP(one, axis.length));
  expectClose(ps, p.filter(isThere), 1e-300);
  expectClose(benjaminiHochberg(ps), adjusted, 1e-300);
});

test("correlations in samples and Stouffer's combination of them are those of scipy", () => {
  const within = sampleRanks(axis, reference.samples, { sampleCount, minCells: 20 });
  expect(within.sizes.length).toBeLessThan(sampleCount);
  const correlations = correlationsWithin(block, within);
  const tested = reference.within.flatMap((one, gene) => (one === null ? [] : [{ ...one, gene }]));
  expect(correlations.p.filter((p) => !Number.isNaN(p)).length).toBe(tested.length);
  expect(tested.length).toBeGreaterThan(14);
  for (const { gene, rho, p, tested: samples, agreeing } of tested) {
    expectClose([correlations.rho[gene]!], [rho], 1e-3);
    // In samples that the axis and a gene rank alike, scipy has a p-value of 0.
    expectClose([correlations.p[gene]!], [p], 1e-200);
    expect([correlations.tested[gene], correlations.agreeing[gene]]).toEqual([samples, agreeing]);
  }
});

test.each([...reference.splines.map((one) => [one, axis] as const), [reference.ofZeros, null] as const])(
  'F tests of splines are those of least squares on the basis of patsy: %#',
  (expected, along) => {
    const values = along ?? Float64Array.from(reference.zeros);
    for (const [fits, levels] of [
      [expected.plain, undefined],
      [expected.inSamples, strata],
    ] as const) {
      const basis = splineBasis(values, expected.degrees, levels);
      expectClose(basis.knots, expected.knots, 1);
      expect(basis.degrees).toBe(expected.knots.length - 1);
      const splineFits = splineTests(block, basis);
      const pValues = leastSquaresP(splineFits, basis);
      const varying = fits.flatMap((fit, gene) => (fit === null ? [] : [{ fit, gene }]));
      expect(splineFits.f.filter((f) => !Number.isNaN(f)).length).toBe(varying.length);
      // A gene that the axis itself is leaves nothing but rounding errors.
      const [noisy, whole] = [
        varying.filter(({ fit }) => fit[2] < 1 - 1e-9),
        varying.filter(({ fit }) => fit[2] >= 1 - 1e-9),
      ];
      for (const { fit, gene } of noisy) {
        expectClose([splineFits.f[gene]!], [fit[0]], 1e-6);
        expectClose([pValues[gene]!], [fit[1]], 1e-200);
        expectClose([splineFits.explained[gene]!], [fit[2]], 1e-6);
      }
      for (const { gene } of whole) expect(splineFits.explained[gene]).toBeGreaterThan(1 - 1e-9);
      expect(noisy.length).toBeGreaterThan(14);
    }
  },
);

test('bins that keep ties together are those of numpy', () => {
  const orders = [
    axisOrder(axis, 9, 'together'),
    axisOrder(Float64Array.from(reference.zeros), 12, 'together'),
  ];
  orders.forEach(({ sizes, places, bins }, at) => {
    expect([...sizes]).toEqual(reference.bins[at]!.sizes);
    expectClose(places, reference.bins[at]!.places, 1);
    expect(bins.every((bin) => bin >= 0)).toBe(true);
  });
  expect(orders[1]!.sizes.length).toBeLessThan(12);
});

test('quantiles of the normal distribution are those of scipy', () => {
  const tails = reference.quantiles.map(([tail]) => tail);
  expectClose(
    tails.map(normalUpperQuantile),
    reference.quantiles.map(([, z]) => z),
    1e-3,
  );
  expect(normalUpperQuantile(0)).toBe(Infinity);
  expect(normalUpperQuantile(NaN)).toBeNaN();
});
