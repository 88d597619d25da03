import { bySignificance } from '@cellfolio/analysis';
import { enrichmentBarFigure } from '@cellfolio/figures';
import { expect, test } from 'vitest';
import type { RankedSets } from '../../compute/task.ts';
import { enrichmentBarInput, overlapOf } from './enrichment-bar-input.ts';

const library = { name: 'Bench', label: '' };

/** Sets of these p-values, whose logarithms are given, each adjusted to itself. */
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
    backgroundSize: 20_000,
  };
}

test.each([
  ['no set', [], 0],
  ['few sets', [-5, -9, -1], 3],
  ['few of many significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 200), 300],
  ['p-values below the smallest number', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900)), 897],
  ['none significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 900), 50],
])('M38 the figure is the one of all sets, from no more of them than it needs: %s', (_, logs, needed) => {
  const sets = setsOf(logs);
  const input = enrichmentBarInput(sets, library);
  const all = Array.from(sets.order, (row) => ({
    term: sets.terms[row]!,
    adjustedP: sets.adjustedPValues[row]!,
    logP: sets.logPValues[row]!,
    overlap: overlapOf(sets, row),
  }));
  const { title, subtitle } = input;
  const figureOfAll = enrichmentBarFigure({ title, subtitle, terms: all, datasetName: 'Lung' });
  expect(enrichmentBarFigure({ ...input, datasetName: 'Lung' }).spec).toEqual(figureOfAll.spec);
  expect(input.terms).toHaveLength(needed);
});
