import { pathway } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { defaultTexts, formState, requestOf, textsOf } from './form-values.ts';
import { readGeneList } from './genes-field.tsx';
import { declaredAnalyses } from './module-of.tsx';

const { request } = pathway;
const module = declaredAnalyses.find(({ id }) => id === pathway.id)!;
const form = { ...defaultTexts(request), pathway_genes: 'cd3d' };
const isComplete = (change: Record<string, string>, dataset = datasetAnalysis()) =>
  formState(pathway, { ...form, ...change }, dataset).isComplete;

test('genes are separated, trimmed, upper-cased and counted once', () => {
  expect(readGeneList(' cd3d, CD3D ,cd3e,,\nLck\tcd2;HLA-A ')).toEqual([
    'CD3D',
    'CD3E',
    'LCK',
    'CD2',
    'HLA-A',
  ]);
  expect(readGeneList(' , \n')).toEqual([]);
});

test('a form requests the genes with its background, whose share is typed in percent', () => {
  const expected = {
    pathway_genes: ['CD3D'],
    library_name: 'KEGG_2021_Human',
    background: { kind: 'expressed', minimum_share: 0.01, minimum_cells: 3 },
    minimum_overlap: 2,
  };
  expect(requestOf(request, form)).toEqual(expected);
  const other = { 'background.expressed.minimum_share': '5', minimum_overlap: '1', species: 'mouse' };
  expect(requestOf(request, { ...form, ...other })).toEqual({
    ...expected,
    background: { kind: 'expressed', minimum_share: 0.05, minimum_cells: 3 },
    minimum_overlap: 1,
    species: 'mouse',
  });
  expect(requestOf(request, { ...form, background: 'dataset', species: '__proto__' })).toEqual({
    ...expected,
    background: { kind: 'dataset' },
  });
  const own = { background: 'own', 'background.own.genes': 'a b\na' };
  expect(requestOf(request, { ...form, ...own })['background']).toEqual({ kind: 'own', genes: ['A', 'B'] });
  // Kept by another version of the page.
  expect(requestOf(request, { ...form, background: 'constructor' })).toEqual(expected);
});

test('fields of a request become those of the form, from which it is made again', () => {
  const change = { pathway_genes: ['A', 'B'], background: { kind: 'own', genes: ['A', 'B', 'C'] } };
  const texts = textsOf(request, change);
  expect(texts).toEqual({ pathway_genes: 'A, B', background: 'own', 'background.own.genes': 'A, B, C' });
  expect(requestOf(request, { ...form, ...texts })).toMatchObject(change);
  expect(textsOf(request, { background: { kind: 'expressed', minimum_share: 0.07 }, evil: 1 })).toEqual({
    background: 'expressed',
    'background.expressed.minimum_share': '7',
  });
  expect(module.form.withGenes!(['A', 'B'])).toEqual({ pathway_genes: 'A, B' });
});

test('what the server would refuse keeps an enrichment from running', () => {
  expect(isComplete({})).toBe(true);
  const list = (count: number) => Array.from({ length: count }, (_, n) => `G${n}`).join(' ');
  const refused: Record<string, string>[] = [
    { pathway_genes: ' , ' },
    { minimum_overlap: '0' },
    { minimum_overlap: '1001' },
    { 'background.expressed.minimum_share': '101' },
    { 'background.expressed.minimum_cells': '0' },
    { background: 'own' },
    { background: 'own', 'background.own.genes': list(60_001) },
  ];
  for (const change of refused) expect(isComplete(change), JSON.stringify(change).slice(0, 80)).toBe(false);
  // Fields of another background are ignored.
  expect(isComplete({ background: 'library', 'background.expressed.minimum_share': '101' })).toBe(true);
  expect(isComplete({ background: 'own', 'background.own.genes': list(60_000) })).toBe(true);
});

test('a library of another species is refused before the run, unless the species is stated', () => {
  const rat = datasetAnalysis({ species: { name: 'rat', mapped: [], named_as_human: false } });
  expect(isComplete({}, rat)).toBe(false);
  expect(isComplete({ species: 'human' }, rat)).toBe(true);
  // The species of an operator's own library is not known before.
  expect(isComplete({ library_name: 'Mine' }, rat)).toBe(true);
  const pig = datasetAnalysis({ species: { name: 'pig', mapped: [], named_as_human: true } });
  const { notes } = formState(pathway, form, pig);
  expect(notes['library_name']?.problem).toContain('choose Human as the species');
});

test('its texts name the library and the number of genes', () => {
  const sent = request.parse({ pathway_genes: ['A', 'B'] });
  expect(module.runningText(sent)).toBe('Testing the genes against KEGG');
  expect(module.startedText).toBeUndefined();
  expect(module.requestLine(sent, 'all cells')).toBe('KEGG, all cells: 2 genes');
  expect(module).toMatchObject({
    name: 'gene set enrichment analysis',
    noticeName: 'Enrichment analysis',
    running: 'Running GSE Analysis',
    alwaysRetried: true,
    files: { table: 'pathway_analysis', figure: 'pathway_analysis_barplot' },
    searchPlaceholder: 'Search terms and genes',
  });
});
