import { bySignificance } from '@cellfolio/analysis';
import { plotFigure } from '@cellfolio/figures';
import { expect, test } from 'vitest';
import type { RankedSets } from './background-genes.ts';
import { enrichmentBarInput, overlapOf } from './describe-result.ts';

const outcomeOf = (result: RankedSets, minimum_overlap = 1) =>
  ({
    result,
    library: { title: 'Bench' },
    background: { choice: { kind: 'dataset' } },
    parameters: { minimum_overlap },
  }) as const;

function setsOf(logPValues: readonly number[]): RankedSets {
  const count = logPValues.length;
  const columns = { logPValues: Float64Array.from(logPValues) };
  return {
    ...columns,
    order: bySignificance(columns),
    terms: Array.from({ length: count }, (_, row) => `SET ${row}`),
    setSizes: new Int32Array(count).fill(40),
    overlapStarts: Int32Array.from({ length: count + 1 }, (_, row) => row),
    overlaps: new Int32Array(count),
    pValues: columns.logPValues.map(Math.exp),
    adjustedPValues: columns.logPValues.map(Math.exp),
    oddsRatios: new Float64Array(count),
    combinedScores: new Float64Array(count),
    queryGenes: ['A'],
    notInBackground: [],
    notInDataset: [],
    renamed: [],
    backgroundSize: 20_000,
  };
}

interface BarSpec {
  terms: readonly { term: string; combinedScore: number }[];
}

const specOf = (enrichment: object) =>
  plotFigure({ kind: 'enrichment-bar' }, { enrichment }, { datasetName: 'Lung' }).spec as unknown as BarSpec;

test.each([
  ['no set', [], 0],
  ['few sets', [-5, -9, -1], 3],
  ['few of many significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 200), 300],
  ['p-values below the smallest number', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900)), 897],
  ['none significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 900), 50],
])('the figure is the one of all sets, from no more of them than it needs: %s', (_, logs, needed) => {
  const sets = setsOf(logs);
  const input = enrichmentBarInput(outcomeOf(sets), []);
  const all = Array.from(sets.order, (row) => ({
    term: sets.terms[row]!,
    adjustedP: sets.adjustedPValues[row]!,
    logP: sets.logPValues[row]!,
    overlap: overlapOf(sets, row),
    combinedScore: sets.combinedScores[row]!,
  }));
  const { title, subtitle } = input;
  expect(specOf(input)).toEqual(specOf({ title, subtitle, terms: all, minimumOverlap: 1, cautions: [] }));
  expect(input.terms).toHaveLength(needed);
});

test('the combined score is a number, also where the p-value underflows and gseapy has an infinite one', () => {
  const sets = { ...setsOf([-900, -2, -0]), oddsRatios: Float64Array.of(3, 2, 1) };
  const spec = specOf(enrichmentBarInput(outcomeOf(sets), []));
  expect(sets.pValues[0]).toBe(0);
  expect(spec.terms.map(({ combinedScore }) => combinedScore)).toEqual([2700, 4, 0]);
  expect(Object.is(spec.terms[2]?.combinedScore, 0)).toBe(true);
});

test('sets below the minimum overlap are no bars, but count as tested', () => {
  const sets = {
    ...setsOf([-9, -8, -7]),
    overlapStarts: Int32Array.of(0, 1, 3, 4),
    overlaps: Int32Array.of(0, 0, 1, 0),
    queryGenes: ['A', 'B'],
  };
  const cautions = [
    { code: 'background', message: 'two genes', numbers: { genes: 2 } },
    { code: 'few-genes', message: 'Two genes.', numbers: { genes: 2 } },
  ] as const;
  const spec = specOf(enrichmentBarInput(outcomeOf(sets, 2), cautions));
  expect(spec.terms.map(({ term }) => term)).toEqual(['SET 1']);
  expect(spec).toMatchObject({
    termCount: 3,
    significant: 1,
    minimumOverlap: 2,
    cautions: [cautions[1]],
  });
});
