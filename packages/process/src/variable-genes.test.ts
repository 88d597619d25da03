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
  const difference = Math.max(...expected.map((value, gene) => Math.abs(value - dispersions[gene]!) || 0));
  expect(difference).toBeLessThan(1e-6);
});

test('the genes that scanpy takes by default are taken, and of more than wanted the most variable', () => {
  expect(Array.from(variableGenesOf(moments, 2000))).toEqual(reference.genes.chosen);
  const few = variableGenesOf(moments, 10);
  expect(few.reduce((sum, is) => sum + is, 0)).toBe(10);
  const dispersions = normalisedDispersions(moments);
  const taken = Array.from(few.keys()).filter((gene) => few[gene] === 1);
  const left = Array.from(few.keys()).filter((gene) => few[gene] === 0 && reference.genes.chosen[gene] === 1);
  expect(Math.min(...taken.map((gene) => dispersions[gene]!))).toBeGreaterThanOrEqual(
    Math.max(...left.map((gene) => dispersions[gene]!)),
  );
});
