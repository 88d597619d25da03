import { expect, test } from 'vitest';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from './result.fixture.ts';
import { readForms } from './analysis-module.ts';

const modules = [markerAnalysis, geneSetEnrichment];

test('a remembered form that somebody changed is read as far as it is one', () => {
  expect(readForms(modules, { marker: { groupBy: 'x', numberOfGenes: 5, evil: 'y' } })?.marker).toEqual({
    ...markerAnalysis.form.defaults,
    groupBy: 'x',
  });
  // What was remembered before there was a choice.
  expect(
    readForms(modules, { pathway: { pathway_genes: 'x', library_name: 'y', genes: 'z' } })?.pathway,
  ).toEqual({
    ...geneSetEnrichment.form.defaults,
    pathway_genes: 'x',
    library_name: 'y',
  });
  expect(readForms(modules, null)).toBeUndefined();
});
