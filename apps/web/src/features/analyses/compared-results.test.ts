import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { comparedPoints, overlapOf } from './compared-results.ts';

const numbers = ['logfoldchanges_1', 'logfoldchanges_2', 'pvals_adj_1', 'pvals_adj_2'];
const kinds = new Map(numbers.map((name) => [name, { label: name, kind: 'number' as const }]));
const table = heldCsv(
  [
    `passes_in,names,${numbers.join(',')}`,
    'both,a,1,2,1e-3,1e-2',
    'neither,b,0,1,1,1',
    'both,c,-2,2,1e-9,1e-4',
    'first only,d,4,3,1e-5,0.5',
    'second only,e,,5,,1e-8',
    'neither,far,inf,1,0.9,0.9',
    '',
  ].join('\n'),
  kinds,
);

test('genes of both results are points, those that pass in both first, each with the colour of where it passes', () => {
  const { points, tones, x } = comparedPoints(table, 'change');
  expect([...points.rows]).toEqual([2, 0, 3, 5, 1]);
  expect([...tones]).toEqual([3, 3, 1, 0, 0]);
  expect([...points.x]).toEqual([-2, 1, 4, Infinity, 0]);
  expect(x.range[0]).toBe(-x.range[1]);
});

test('correlations are of the finite values of both', () => {
  // scipy.stats.pearsonr([1, 0, -2, 4], [2, 1, 2, 3]) and spearmanr
  const { correlations } = comparedPoints(table, 'change');
  expect(correlations.pearson).toBeCloseTo(0.6531972647421809, 12);
  expect(correlations.spearman).toBeCloseTo(0.632455532033676, 12);
});

test('sureness has the sign of the fold change', () => {
  const { points } = comparedPoints(table, 'sureness');
  const of = new Map(Array.from(points.rows, (row, at) => [row, [points.x[at], points.y[at]]]));
  expect(of.get(2)![0]).toBeCloseTo(-9, 9);
  expect(of.get(2)![1]).toBeCloseTo(4, 9);
  expect(of.get(1)).toEqual([0, 0]);
});

test('the overlap counts where genes pass, which agree in direction, and which one result lacks', () => {
  const { counts, agreeing, unshared } = overlapOf(table);
  expect([...counts]).toEqual([
    ['both', 2],
    ['first only', 1],
    ['second only', 1],
    ['neither', 2],
  ]);
  expect([agreeing, unshared]).toEqual([1, 1]);
});
