import { ligandReceptor } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import { ownListChoice } from '@/features/analyses/index.ts';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const { form: module, ...page } = moduleOf(ligandReceptor);
const analysis = datasetAnalysis({
  cell_types: ['B cell', 'T cell', 'NK'],
  leiden_clusters: ['0', '1'],
  patient_metadata: { Stage: ['I', 'II'] },
});
const { requestOf, isComplete, defaults } = module;

test('a form has the defaults of the server, its share as a percentage, and the cell types until another column is chosen', () => {
  expect(defaults).toMatchObject({ min_share: '10', permutations: '1000', pairs: 'abridged' });
  const standards = {
    groupby: 'cell_type',
    pairs: 'abridged',
    min_share: 0.1,
    min_cells: 10,
    pval: 0.05,
    permutations: 1000,
    seed: 0,
  };
  expect(requestOf(defaults, analysis)).toEqual(standards);
  const other = requestOf({ ...defaults, groupby: 'own annotation Mine' }, analysis);
  expect(other).toEqual({ ...standards, groupby: 'Mine' });
  const clustered = datasetAnalysis({ cell_types: ['all'], leiden_clusters: ['0', '1'] });
  expect(requestOf(defaults, clustered)).toMatchObject({ groupby: 'leiden' });
});

test('chosen groups and a list of one’s own go into the request', () => {
  const own = {
    ...defaults,
    groups: '["B cell","NK"]',
    pairs: ownListChoice,
    own_pairs: 'ligand,receptor\nA,B',
    min_share: '7',
  };
  expect(requestOf(own, analysis)).toMatchObject({
    groups: ['B cell', 'NK'],
    own_pairs: 'ligand,receptor\nA,B',
    min_share: 0.07,
  });
  expect(requestOf(own, analysis)).not.toHaveProperty('pairs');
});

test('a set of which the dataset has no pair is refused before the run', () => {
  const offered = {
    name: 'abridged',
    title: 'abridged',
    about: '',
    species: 'human',
    total: 100,
    foundCount: 1,
    largestType: 1,
  };
  const note = (foundCount: number) =>
    ligandReceptor.notes!({}, { list: { ...offered, foundCount } })['pairs'];
  expect(note(1)).toEqual({ hint: '1 of 100 pairs has both genes in this dataset.' });
  expect(isComplete(defaults, analysis, [offered])).toBe(true);
  expect(note(0)).toEqual({
    problem: 'None of its 100 pairs has both genes in this dataset: choose another set, or paste your own.',
  });
  expect(isComplete(defaults, analysis, [{ ...offered, foundCount: 0 }])).toBe(false);
});

test.each([
  ['a column that the dataset has not', { groupby: 'gone' }],
  ['one group', { groups: '["NK"]' }],
  ['a list that is empty', { pairs: ownListChoice }],
  ['a list without a heading', { pairs: ownListChoice, own_pairs: 'A,B' }],
  ['too few permutations', { permutations: '5' }],
  ['a share over all', { min_share: '101' }],
])('a form with %s is not complete', (_, change) => {
  expect(isComplete(defaults, analysis)).toBe(true);
  expect(isComplete({ ...defaults, ...change }, analysis)).toBe(false);
});

test('the line of a request names its pairs, groups and test', () => {
  const request = { groupby: 'leiden', groups: ['0', '1'], own_pairs: 'ligand,receptor' };
  expect(page.startedText!(request)).toBe('Testing pairs of your own list between 2 groups of Cluster');
  expect(page.requestLine({ groupby: 'cell_type', pval: 0.01 }, 'all cells')).toBe(
    'Pairs abridged between the groups of Cell type, all cells: 1000 permutations, seed 0, p < 0.01',
  );
});
