import { expect, test } from 'vitest';
import { counted, surestFirst } from './compared-table.ts';

const symbols = ['UP', 'DOWN', 'SMALL', 'UNSURE', 'UNTESTED', 'NULL'];
const statistics = {
  logfoldchanges: Float64Array.of(2, -3, 0.2, 4, 5, 0),
  pvals: Float64Array.of(1e-4, 0, 1e-9, 0.5, NaN, 1e-9),
  pvals_adj: Float64Array.of(1e-3, 0, 1e-8, 0.9, NaN, 1e-8),
  scores: Float64Array.of(4, -9, 6, 0.6, NaN, 6),
};
const order = surestFirst(
  [...symbols.keys()].filter((row) => !Number.isNaN(statistics.pvals[row]!)),
  statistics,
);

test('genes that pass both thresholds are counted by direction, as are those of small p alone; the latter lead whatever their fold change', () => {
  const thresholds = { adjustedP: 0.05, foldChange: 1 };
  expect(counted(order, statistics, { thresholds, symbols })).toEqual({
    higher: 1,
    lower: 1,
    rising: 2,
    falling: 1,
    zeroPs: 1,
    leading: ['DOWN', 'SMALL', 'NULL', 'UP'],
  });
});

test('no more genes lead than a reader looks at', () => {
  const many = new Float64Array(100).fill(1e-9);
  const all = { logfoldchanges: new Float64Array(100).fill(2), pvals: many, pvals_adj: many };
  const names = Array.from(many, (_, gene) => `G${gene}`);
  const rows = Int32Array.from(many.keys());
  const { leading, higher } = counted(rows, all, {
    thresholds: { adjustedP: 0.05, foldChange: 1 },
    symbols: names,
  });
  expect([leading.length, leading[0], higher]).toEqual([20, 'G0', 100]);
});
