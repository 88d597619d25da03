import { comparison } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { genePlot, plottedGenes, roundChange, roundP, tonesOf } from './gene-plots.ts';

const { columns } = declaredAnalysis(comparison);
const thresholds = { adjustedP: 0.05, foldChange: 1 };
const tableOf = (csv: string) => heldCsv(csv, columns);
const genesOf = (csv: string, group?: string) => plottedGenes(tableOf(csv), group);

test('genes are higher or lower where they pass both thresholds, and left out without a fold change or a p', () => {
  const genes = genesOf(
    'names,logfoldchanges,pvals_adj\nup,1,0.01\ndown,-2,0\nsmall,0.9,1e-9\nunsure,3,0.05\nnone,,1\nuntested,2,\n',
  );
  expect([...genes.rows]).toEqual([0, 1, 2, 3]);
  expect(tonesOf(genes, thresholds)).toEqual({ tones: Uint8Array.of(1, 2, 0, 0), higher: 1, lower: 1 });
  // No p-value is infinitely sure.
  expect(genes.scores[1]).toBeCloseTo(307.65, 1);
  expect(tonesOf(genes, { adjustedP: 1, foldChange: 0 })).toMatchObject({ higher: 3, lower: 1 });
});

test('of several groups the genes of one are shown', () => {
  const csv = 'group,names,logfoldchanges,pvals_adj\nT,a,1,0.1\nB,b,1,0.1\n';
  expect([...genesOf(csv, 'B').rows]).toEqual([1]);
  expect([...genesOf(csv, 'gone').rows]).toEqual([]);
});

test('genes that one side lacks leave the axis to the others, and axes stay where thresholds are dragged', () => {
  const genes = genesOf('names,logfoldchanges,pvals_adj\na,2,0.1\nfar,27,0.1\nb,-1,0.1\n');
  const { x, y } = genePlot('volcano', genes, thresholds);
  expect(x.range[1]).toBeLessThan(3);
  expect(x.range[0]).toBe(-x.range[1]);
  expect(y.range[1]).toBeGreaterThan(-Math.log10(0.05));
});

test('the MA plot takes the means of both sides, or the mean of log counts per million where there is one', () => {
  const sides = genesOf('names,logfoldchanges,pvals_adj,mean_a,mean_b\na,2,0.1,3,1\nb,1,0.1,,1\n');
  const plot = genePlot('ma-plot', sides, thresholds);
  expect([...plot.points.x]).toEqual([2]);
  expect([...plot.points.y]).toEqual([2]);
  expect(plot.x.title).toContain('log-normalized');
  const csv = 'names,logfoldchanges,pvals_adj,mean_log_cpm\na,2,0.1,-3.5\n';
  const kinds = new Map(columns).set('mean_log_cpm', { label: 'Mean', kind: 'number' });
  const pooled = genePlot('ma-plot', plottedGenes(heldCsv(csv, kinds), undefined), thresholds);
  expect([...pooled.points.x]).toEqual([-3.5]);
  expect(pooled.x.title).toContain('counts per million');
  expect(pooled.x.range[0]).toBeLessThan(-3.5);
});

test('the rank plot goes from the greatest score to the least, and names its genes by their rows', () => {
  const genes = genesOf('names,scores,logfoldchanges,pvals_adj\na,-9,-2,0.1\nb,8,2,0.1\nc,,1,1\nd,3,1,0.1\n');
  const { points, places } = genePlot('rank-plot', genes, thresholds);
  expect([...points.rows]).toEqual([0, 1, 3]);
  expect([...points.x]).toEqual([3, 1, 2]);
  expect([...points.y]).toEqual([-9, 8, 3]);
  expect([...places]).toEqual([0, 1, 3]);
});

test('a threshold that is dragged has as many digits as a person would choose', () => {
  expect([roundP(0.0123456), roundP(2), roundP(1.2345e-12)]).toEqual([0.012, 1, 1.2e-12]);
  expect([roundChange(1.23456), roundChange(-0.2)]).toEqual([1.23, 0]);
});
