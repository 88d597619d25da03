import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SeededShuffle } from '../random/seeded-shuffle.ts';
import { adjustedPresent, groupTails, multilevelGroups, multilevelPValues } from './multilevel-p-values.ts';
import { multilevelError, multilevelTails } from './multilevel-split.ts';
import { permutationTests } from './permutation-tests.ts';
import { drawPermutations, permutedScores } from './permuted-scores.ts';
import { runningScore, stepWeights } from './running-score.ts';

/** Written by fixtures/analysis/ranked_enrichment_reference.py. */
interface Reference {
  seed: number;
  metric: number[];
  sets: Record<string, number[]>;
  multilevel: {
    permutations: number;
    p: number[];
    log2err: (number | null)[];
  };
  counted: readonly {
    weight: number;
    size: number;
    metric: number[];
    positive: number;
    scores: readonly { score: number; p: number }[];
  }[];
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'ranked-enrichment-reference.json'), 'utf8'),
) as Reference;

test.each(reference.counted)(
  'with weight $weight probabilities are those counted over all sets, within the stated error',
  ({ weight, size, metric, positive, scores }) => {
    const weights = stepWeights(Float64Array.from(metric), weight);
    for (const isNegative of [false, true]) {
      const side = scores.filter(({ score }) => score < 0 === isNegative);
      const heights = side.map(({ score }) => Math.abs(score) - 1e-9);
      const fromItsSide = isNegative ? weights.toReversed() : weights;
      const ofSign = isNegative ? 1 - positive : positive;
      const repeats = Array.from({ length: 12 }, (_, seed) =>
        multilevelTails(fromItsSide, size, heights, seed).map((tail) => Math.log2(tail / ofSign)),
      );
      side.forEach(({ p }, i) => {
        const mean = repeats.reduce((sum, run) => sum + run[i]!, 0) / repeats.length;
        const error = multilevelError(p) / Math.sqrt(repeats.length);
        expect(Math.abs(mean - Math.log2(p)), `p ${p} of ${isNegative}`).toBeLessThan(4 * error);
      });
    }
  },
);

test('p-values are those of fgsea in gseapy, within the errors that both state', () => {
  const { seed, metric, sets, multilevel } = reference;
  const { permutations: count } = multilevel;
  const weights = stepWeights(Float64Array.from(metric), 1);
  // Sets beyond that take seconds.
  const small = Object.keys(sets).filter((term) => sets[term]!.length < 80);
  const hits = small.map((term) => Int32Array.from(sets[term]!));
  const sizes = Int32Array.from(hits, ({ length }) => length);
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, set) => (starts[set + 1] = starts[set]! + size));
  const places = Int32Array.from(small.flatMap((term) => sets[term]!));
  const { permutations } = drawPermutations(SeededShuffle.of(seed, metric.length).state, count);
  const scores = Float64Array.from(hits, (set) => runningScore(weights, set).score);
  const permuted = new Float64Array(scores.length * count);
  permutedScores(weights, { starts, places }, permutations, {
    scores: permuted,
    permutations: count,
    from: 0,
  });
  const tests = permutationTests(scores, [permuted], count);
  const groups = multilevelGroups(scores, sizes, tests, count);
  const tails = groups.map((group) => groupTails(weights, scores, group, seed));
  const { pValues, log2Errors } = multilevelPValues(tests, count, groups, tails);
  expect(Math.min(...multilevel.p)).toBeLessThan(1e-15);
  let deep = 0;
  small.forEach((term, set) => {
    const place = Object.keys(sets).indexOf(term);
    const expected = multilevel.p[place]!;
    const error = Math.hypot(log2Errors[set]!, multilevel.log2err[place]!);
    expect(Math.abs(Math.log2(pValues[set]! / expected)), `of ${term}`).toBeLessThan(4 * error);
    if (expected < 1e-4) deep++;
  });
  expect(deep).toBeGreaterThan(5);
});

test('a seed gives the same p-values again', () => {
  const weights = stepWeights(Float64Array.from(reference.metric), 1);
  expect(multilevelTails(weights, 30, [0.5], 4)).toEqual(multilevelTails(weights, 30, [0.5], 4));
});

test('sets without a p-value stay without one and do not count in the adjustment', () => {
  expect([...adjustedPresent(Float64Array.of(0.01, Number.NaN, 0.04))]).toEqual([0.02, Number.NaN, 0.04]);
});
