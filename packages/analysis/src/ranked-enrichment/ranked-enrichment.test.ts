import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteDifferences } from '@cellfolio/model/testing';
import { describe, expect, test } from 'vitest';
import { SeededShuffle } from '../random/seeded-shuffle.ts';
import { rankByMetric } from './gene-ranking.ts';
import { permutationTests } from './permutation-tests.ts';
import { drawPermutations, permutedScores, type RankedSetPlaces } from './permuted-scores.ts';
import { runningScore, scoreCorners, stepWeights } from './running-score.ts';

interface Run {
  seed: number;
  permutations: number;
  metric: number[];
  sets: Record<string, number[]>;
}
/** Written by fixtures/analysis/ranked_enrichment_reference.py. */
interface Reference extends Run {
  results: readonly {
    weight: number;
    es: number[];
    nes: number[];
    p: number[];
    fdr: number[];
    fwer: (number | null)[];
    tag: string[];
    gene: string[];
    lead: number[][];
  }[];
  null: Record<string, number[]>;
  few: Run & {
    rows: readonly Record<'es' | 'nes' | 'p' | 'fdr' | 'fwer', number | null>[];
  };
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'ranked-enrichment-reference.json'), 'utf8'),
) as Reference;

function placesOf(sets: Record<string, number[]>): RankedSetPlaces {
  const starts = [0];
  for (const places of Object.values(sets)) starts.push(starts.at(-1)! + places.length);
  return { starts: Int32Array.from(starts), places: Int32Array.from(Object.values(sets).flat()) };
}

function tested({ seed, permutations: count, metric, sets }: Run, weight: number) {
  const weights = stepWeights(Float64Array.from(metric), weight);
  const scores = Object.values(sets).map((hits) => runningScore(weights, Int32Array.from(hits)));
  const start = SeededShuffle.of(seed, metric.length).state;
  const { permutations } = drawPermutations(start, count);
  const permuted = new Float64Array(scores.length * count);
  permutedScores(weights, placesOf(sets), permutations, { scores: permuted, permutations: count, from: 0 });
  const observed = Float64Array.from(scores, ({ score }) => score);
  return { scores, permuted: permuted.slice(), tests: permutationTests(observed, [permuted], count) };
}

const furthest = (values: ArrayLike<number>, expected: readonly (number | null)[]): number => {
  noteDifferences(
    'ranked-enrichment',
    values,
    expected.map((value) => value ?? NaN),
    1,
  );
  return expected.reduce<number>(
    (maximum, value, i) => {
      const actual = values[i] ?? Number.POSITIVE_INFINITY;
      if (value === null || Number.isNaN(actual))
        return value === null && Number.isNaN(actual) ? maximum : Infinity;
      return Math.max(maximum, Math.abs(actual - value));
    },
    values.length === expected.length ? 0 : Infinity,
  );
};

describe.each(reference.results)('weight $weight', ({ weight, ...expected }) => {
  const { scores, tests } = tested(reference, weight);

  test('scores, normalised scores and all p-values are those of gseapy with the same seed', () => {
    expect(
      furthest(
        scores.map(({ score }) => score),
        expected.es,
      ),
    ).toBeLessThan(1e-12);
    expect(furthest(tests.normalised, expected.nes)).toBeLessThan(1e-12);
    expect(furthest(tests.pValues, expected.p)).toBeLessThan(1e-12);
    expect(furthest(tests.falseDiscoveryRates, expected.fdr)).toBeLessThan(1e-12);
    expect(furthest(tests.familyWise, expected.fwer)).toBeLessThan(1e-12);
  });

  test('the leading edge, and its shares of set and ranking, are those of gseapy', () => {
    expect(scores.map(({ leadingEdge }) => [...leadingEdge])).toEqual(expected.lead);
    expect(scores.map(({ leadingEdge, hits }) => `${leadingEdge.length}/${hits.length}`)).toEqual(
      expected.tag,
    );
    expect(scores.map(({ geneShare }) => `${(100 * geneShare).toFixed(2)}%`)).toEqual(expected.gene);
  });
});

test('each permutation is the one that gseapy draws, also where it goes on from a state', () => {
  const weights = stepWeights(Float64Array.from(reference.metric), 1);
  const sets = Object.fromEntries(Object.keys(reference.null).map((term) => [term, reference.sets[term]!]));
  let state = SeededShuffle.of(reference.seed, weights.length).state;
  const expected = Object.values(reference.null);
  const scores = new Float64Array(expected.length * 12);
  for (const [from, count] of [
    [0, 5],
    [5, 1],
    [6, 6],
  ] as const) {
    const batch = drawPermutations(state, count);
    permutedScores(weights, placesOf(sets), batch.permutations, { scores, permutations: 12, from });
    state = batch.state;
  }
  expect(furthest(scores, expected.flat())).toBeLessThan(1e-12);
});

test('where no permuted score has the sign of a score, the numbers are those of gseapy', () => {
  const { few } = reference;
  const { scores, tests } = tested(few, 1);
  const column = (name: keyof (typeof few.rows)[number]) => few.rows.map((row) => row[name]);
  expect(
    furthest(
      scores.map(({ score }) => score),
      column('es'),
    ),
  ).toBeLessThan(1e-12);
  expect(furthest(tests.normalised, column('nes'))).toBeLessThan(1e-12);
  expect(furthest(tests.pValues, column('p'))).toBeLessThan(1e-12);
  expect(furthest(tests.falseDiscoveryRates, column('fdr'))).toBeLessThan(1e-12);
  expect(furthest(tests.familyWise, column('fwer'))).toBeLessThan(1e-12);
});

test('numbers do not depend on how sets are cut into blocks', () => {
  const { scores, permuted, tests } = tested(reference, 1);
  const cut = 7 * reference.permutations;
  const observed = Float64Array.from(scores, ({ score }) => score);
  const again = permutationTests(
    observed,
    [permuted.slice(0, cut), permuted.slice(cut)],
    reference.permutations,
  );
  expect(again).toEqual(tests);
});

test('the corners of a running score reach its enrichment score and come back to 0', () => {
  const weights = stepWeights(Float64Array.from(reference.metric), 1);
  for (const hits of Object.values(reference.sets).map((places) => Int32Array.from(places))) {
    const { score } = runningScore(weights, hits);
    const { places, scores } = scoreCorners(weights, hits);
    expect([Math.max(...scores), Math.min(...scores)]).toContain(score);
    expect(scores.at(-1)).toBe(0);
    expect(places.at(-1)).toBe(weights.length);
    expect(places).toEqual(places.slice().sort());
  }
});

test('a ranking leaves out what is no number, takes the mean of a gene that comes twice and counts ties', () => {
  const ranking = rankByMetric(
    Int32Array.of(0, 1, 2, 1, 3, 4, 5),
    [1, 4, Number.NaN, 2, 3, -1, 1],
    ['A', 'B', 'C', 'D', 'E', 'F'],
  );
  expect([...ranking.metric]).toEqual([3, 3, 1, 1, -1]);
  expect(new Set(ranking.genes.subarray(0, 2))).toEqual(new Set([1, 3]));
  expect(ranking).toMatchObject({ repeated: 1, missing: 1, tied: 4 });
});

test('equal metrics stand in one order, whatever order they come in, and not in that of the alphabet', () => {
  const names = Array.from({ length: 60 }, (_, i) => `RPL${String(i).padStart(2, '0')}`);
  const order = (symbols: readonly string[]) =>
    Array.from(
      rankByMetric(
        Int32Array.from(symbols.keys()),
        symbols.map(() => 2),
        symbols,
      ).genes,
      (gene) => symbols[gene],
    );
  expect(order(names.toReversed())).toEqual(order(names));
  expect(order(names)).not.toEqual(names);
});
