import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import reference from './process-reference.json' with { type: 'json' };
import { normalisedDispersions, variableGenesOf } from './variable-genes.ts';

const moments = {
  means: Float64Array.from(reference.genes.means),
  variances: Float64Array.from(reference.genes.variances),
};

test('normalised dispersions are those of scanpy', () => {
  const dispersions = normalisedDispersions(moments);
  const expected = reference.genes.dispersions.map((dispersion) => dispersion ?? NaN);
  expect(Array.from(dispersions, Number.isNaN)).toEqual(expected.map(Number.isNaN));
  noteDifferences('dispersions', dispersions, expected, 1);
  const difference = Math.max(...expected.map((value, gene) => Math.abs(value - dispersions[gene]!) || 0));
  expect(difference).toBeLessThan(1e-6);
});

test('the genes that scanpy takes are taken', () => {
  expect(Array.from(variableGenesOf(moments, reference.genes.top))).toEqual(reference.genes.chosen);
});

test('of fewer genes than wanted, all that vary are taken', () => {
  const varying = reference.genes.dispersions.map((dispersion) => (dispersion === null ? 0 : 1));
  expect(Array.from(variableGenesOf(moments, 2000))).toEqual(varying);
});
