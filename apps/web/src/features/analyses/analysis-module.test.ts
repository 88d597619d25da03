import { expect, test } from 'vitest';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from '@/features/pathways/index.ts';
import { readForms } from './analysis-module.ts';
import { windowOf } from './use-windowed-rows.ts';

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

test('of thousands of rows only those near what is seen are drawn', () => {
  expect(windowOf({ top: 0, height: 320 }, 30_000, 32)).toEqual({ start: 0, end: 22 });
  expect(windowOf({ top: 320_000, height: 320 }, 30_000, 32)).toEqual({ start: 9988, end: 10_022 });
  // A search shortened the list while it was scrolled down.
  expect(windowOf({ top: 320_000, height: 320 }, 3, 32)).toEqual({ start: 0, end: 3 });
});
