import { expect, test } from 'vitest';
import { geneSetEnrichment, markerAnalysis } from './result.fixture.ts';
import { readForms } from './analysis-module.ts';

const modules = [markerAnalysis, geneSetEnrichment];

test('a remembered form that somebody changed is read as far as it is one', () => {
  expect(readForms(modules, { marker: { groupby: 'x', n_genes: 5, evil: 'y' } })?.marker).toEqual({
    ...markerAnalysis.form.defaults,
    groupby: 'x',
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
