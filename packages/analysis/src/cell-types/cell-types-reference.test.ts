import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { float64, type Packed, readReference } from '../markers/testing/reference.ts';
import { fisherExact } from '../statistics/fisher-exact.ts';
import { overRepresentationInTop, type SetScores, univariateLinearModels } from './gene-set-scores.ts';
import { centredOver } from './group-profiles.ts';

interface Scores {
  scores: Packed;
  adjusted: Packed;
}

/** Written by fixtures/analysis/cell_types_reference.py. */
const reference = readReference<{
  genes: number;
  groups: number;
  means: Packed;
  sets: readonly { places: readonly number[]; weights: readonly number[] }[];
  ulm: Scores;
  ora: Scores;
  fisher: readonly { table: readonly number[]; p: number }[];
}>(new URL('cell-types-reference.json', import.meta.url));

const { genes, groups } = reference;
const centred = centredOver(float64(reference.means), groups);
const sets = reference.sets.map(({ places, weights }) => ({
  places: Int32Array.from(places),
  weights: Float64Array.from(weights),
}));

test.each([
  ['univariate linear models', univariateLinearModels, reference.ulm],
  ['over-representation among the top genes', overRepresentationInTop, reference.ora],
])('%s have the scores and adjusted p-values of decoupler', (_, scored, expected) => {
  const groupScores = Array.from({ length: groups }, (__, group): SetScores =>
    scored(centred.subarray(group * genes, (group + 1) * genes), sets),
  );
  const all = (of: (scores: SetScores) => Float64Array) =>
    groupScores.flatMap((scores) => Array.from(of(scores)));
  for (const [ours, theirs] of [
    [all(({ scores }) => scores), Array.from(float64(expected.scores))],
    [all(({ adjustedPs }) => adjustedPs), Array.from(float64(expected.adjusted))],
  ] as const) {
    noteDifferences('cell-types', ours, theirs);
    expect(ours).toHaveLength(groups * sets.length);
    ours.forEach((value, at) => {
      expect(Math.abs(value - theirs[at]!)).toBeLessThanOrEqual(1e-6 * Math.max(1e-3, Math.abs(theirs[at]!)));
    });
  }
});

test('p-values of Fisher’s exact test are those of scipy', () => {
  const ours = reference.fisher.map(({ table: [both, setOnly, topOnly, neither] }) =>
    fisherExact({ both: both!, setOnly: setOnly!, topOnly: topOnly!, neither: neither! }),
  );
  const theirs = reference.fisher.map(({ p }) => p);
  noteDifferences('cell-types', ours, theirs);
  ours.forEach((p, at) => expect(Math.abs(p / theirs[at]! - 1)).toBeLessThanOrEqual(1e-6));
});

test('values or weights that are all the same explain nothing', () => {
  const flat = new Float64Array(50).fill(2);
  const everything = { places: Int32Array.from(flat.keys()), weights: flat };
  const [one] = [
    univariateLinearModels(
      flat,
      [sets[0]!].map(() => ({ places: Int32Array.of(1, 2), weights: Float64Array.of(1, 1) })),
    ),
  ];
  expect([one.scores[0], one.pValues[0]]).toEqual([0, 1]);
  const rising = Float64Array.from(flat.keys());
  const all = univariateLinearModels(rising, [everything]);
  expect([all.scores[0], all.pValues[0]]).toEqual([0, 1]);
});
