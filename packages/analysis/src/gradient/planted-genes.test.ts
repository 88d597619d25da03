import type { GeneBlock } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { axisOrder } from '../axis/axis-order.ts';
import { correlationP, genesAlongAxis } from '../axis/genes-along-axis.ts';
import { blockOf } from '../axis/testing/block-of.ts';
import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { correlationsWithin, sampleRanks } from './correlations-within.ts';
import { type SplineBasis, splineBasis } from './spline-basis.ts';
import { leastSquaresP, splineTests } from './spline-tests.ts';

const [cellCount, sampleCount, geneCount] = [900, 6, 400];
const planted = 30;
const kindOf = (gene: number) => ['rises', 'falls', 'peaks'][Math.floor(gene / planted)] ?? 'none';

function simulated(seed: number, { levels = false } = {}) {
  const random = new LegacyRandomState(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  const poisson = (rate: number) => {
    let [count, product] = [0, uniform()];
    for (const limit = Math.exp(-rate); product > limit; count++) product *= uniform();
    return count;
  };
  const samples = Int16Array.from({ length: cellCount }, () => random.interval(sampleCount - 1));
  const own = Float64Array.from({ length: cellCount }, uniform);
  const axis = own.map((place, cell) => place + (levels ? samples[cell]! / 3 : 0));
  const genes = Array.from({ length: geneCount }, (_, gene) => {
    const height = 0.2 + 2 * uniform();
    const ofSample = Float64Array.from({ length: sampleCount }, () => (levels ? 0.5 + uniform() : 1));
    return Array.from(own, (place, cell) => {
      const share = { rises: place, falls: 1 - place, peaks: 4 * place * (1 - place), none: 0.5 }[
        kindOf(gene) as 'rises'
      ];
      return Math.fround(Math.log1p(poisson(height * (0.4 + 1.2 * share) * ofSample[samples[cell]!]!)));
    });
  });
  return { axis, samples, block: blockOf(genes) };
}

const curveP = (block: GeneBlock, basis: SplineBasis) => leastSquaresP(splineTests(block, basis), basis);

function tested({ axis, samples, block }: ReturnType<typeof simulated>) {
  const within = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
  const correlated = correlationsWithin(block, within);
  return {
    pooled: genesAlongAxis(block, axisOrder(axis, 30)).rho.map((rho) => correlationP(rho, cellCount)),
    within: correlated.p,
    rho: correlated.rho,
    pooledCurve: curveP(block, splineBasis(axis, 4)),
    curve: curveP(block, splineBasis(axis, 4, within.samples)),
  };
}

function shareOf(p: Float64Array, kinds: readonly string[], below = 0.05): number {
  const own = p.filter((_, gene) => kinds.includes(kindOf(gene)));
  return own.filter((one) => one < below).length / own.length;
}

test('genes that rise, fall and peak are found and little else, the peaks by their curves alone', () => {
  const testResult = tested(simulated(1));
  const [within, curve] = [benjaminiHochberg(testResult.within), benjaminiHochberg(testResult.curve)];
  expect(shareOf(within, ['rises', 'falls'])).toBeGreaterThan(0.9);
  expect(shareOf(within, ['peaks'])).toBeLessThan(0.15);
  expect(shareOf(curve, ['rises', 'falls'])).toBeGreaterThan(0.85);
  expect(shareOf(curve, ['peaks'])).toBeGreaterThan(0.8);
  for (const adjusted of [within, curve]) expect(shareOf(adjusted, ['none'])).toBeLessThan(0.03);
  const rising = testResult.rho.filter((rho, gene) => kindOf(gene) === 'rises' && rho > 0);
  const falling = testResult.rho.filter((rho, gene) => kindOf(gene) === 'falls' && rho < 0);
  expect([rising.length, falling.length]).toEqual([planted, planted]);
});

test.each([2, 3, 4])(
  'where a gene follows nothing, one of twenty p-values is below 0.05 (seed %i)',
  (seed) => {
    const { pooled, within, curve, pooledCurve } = tested(simulated(seed));
    for (const p of [pooled, within, curve, pooledCurve]) {
      // 310 genes: 3.8 standard errors about 5 %.
      expect(shareOf(p, ['none'])).toBeGreaterThan(0.003);
      expect(shareOf(p, ['none'])).toBeLessThan(0.097);
    }
  },
);

test('levels of samples that lie apart on the axis deceive tests over all cells, and not those within samples', () => {
  const { pooled, within, curve, pooledCurve } = tested(simulated(5, { levels: true }));
  expect(shareOf(pooled, ['none'])).toBeGreaterThan(0.4);
  expect(shareOf(pooledCurve, ['none'])).toBeGreaterThan(0.4);
  expect(shareOf(within, ['none'])).toBeLessThan(0.097);
  expect(shareOf(curve, ['none'])).toBeLessThan(0.097);
  expect(shareOf(benjaminiHochberg(within), ['rises', 'falls'])).toBeGreaterThan(0.8);
});

test('an axis that is constant in every sample has nothing to rank in them', () => {
  const { samples, block } = simulated(6);
  const axis = Float64Array.from(samples);
  const within = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
  expect(within.sizes.length).toBe(0);
  expect(correlationsWithin(block, within).p.every((p) => Number.isNaN(p))).toBe(true);
  const basis = splineBasis(axis, 4, samples);
  expect(basis.degrees).toBe(0);
  expect(splineTests(block, basis).f.every((f) => Number.isNaN(f))).toBe(true);
});

test('cells without a place, in small samples or in none are in no test', () => {
  const { axis, samples, block } = simulated(7);
  axis[3] = Infinity;
  samples[4] = -1;
  const few = samples.map((sample, cell) => (sample === 5 && cell > 60 ? -1 : sample));
  const within = sampleRanks(axis, few, { sampleCount, minCells: 20 });
  expect([...within.codes]).toEqual([0, 1, 2, 3, 4]);
  expect([within.samples[3], within.samples[4]]).toEqual([-1, -1]);
  expect(splineBasis(axis, 4, within.samples).left).toBe(
    within.sizes.reduce((sum, size) => sum + size, 0) - 5 - 4,
  );
  const other = { ...block, cellCount: 3 };
  expect(() => correlationsWithin(other, within)).toThrow(RangeError);
  expect(() => splineTests(other, splineBasis(axis, 2))).toThrow(RangeError);
});
