import { expect, test } from 'vitest';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from '@/features/pathways/index.ts';
import { readForms } from './analysis-module.ts';

const modules = [markerAnalysis, geneSetEnrichment];

test('a remembered form that somebody changed is read as far as it is one', () => {
  expect(readForms(modules, { marker: { groupBy: 'x', numberOfGenes: 5, evil: 'y' } })?.marker).toEqual({
    ...markerAnalysis.form.defaults,
    groupBy: 'x',
  });
  // What was remembered before there was a choice.
  expect(readForms(modules, { pathway: { genes: 'x', library: 'y' } })?.pathway).toEqual({
    ...geneSetEnrichment.form.defaults,
    genes: 'x',
    library: 'y',
  });
  expect(readForms(modules, null)).toBeUndefined();
});
