import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import reference from './process-reference.json' with { type: 'json' };
import samples from './samples-reference.json' with { type: 'json' };
import {
  genesWithinCutoffs,
  normalisedDispersions,
  variableGenesByBatch,
  variableGenesOf,
} from './variable-genes.ts';

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

test('of batches the genes are taken that scanpy takes', () => {
  const { batches, most: maxGenes, chosen } = samples.genes;
  const moments = batches.map(({ means, variances }) => ({
    means: Float64Array.from(means),
    variances: Float64Array.from(variances),
  }));
  const actual = variableGenesByBatch(moments, maxGenes);
  noteDifferences('batch-genes', actual, chosen, 1);
  expect(Array.from(actual)).toEqual(chosen);
  // Without batches the genes that differ between them would be taken.
  expect(Array.from(actual)).not.toEqual(samples.genes.withoutBatches);
});

test('genes are variable by the cutoffs of scanpy', () => {
  const { means, variances } = samples.genes.batches[0]!;
  const actual = genesWithinCutoffs({
    means: Float64Array.from(means),
    variances: Float64Array.from(variances),
  });
  expect(Array.from(actual)).toEqual(samples.genes.withinCutoffs);
});

test('a gene that varies in no batch is not taken, however many are wanted', () => {
  const batch = {
    means: Float64Array.of(1, 2, 3, 0, 1),
    variances: Float64Array.of(2, 5, 0, 0, 3),
  };
  expect(Array.from(variableGenesByBatch([batch, batch], 2000))).toEqual([1, 1, 0, 0, 1]);
});
