import { expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { ownListChoice } from '@/features/analyses/index.ts';
import {
  isComplete,
  ligandReceptorDefaults,
  ligandReceptorRequestOf,
  pairsNote,
} from './ligand-receptor-form.ts';

const analysis = datasetAnalysis({
  cell_types: ['B cell', 'T cell', 'NK'],
  leiden_clusters: ['0', '1'],
  patient_metadata: { Stage: ['I', 'II'] },
});
const form = { ...ligandReceptorDefaults, groupBy: 'cell_type' };

test('a form has the defaults of the server, its share as a percentage', () => {
  expect(ligandReceptorDefaults).toMatchObject({ minShare: '10', permutations: '1000', pairs: 'abridged' });
  expect(ligandReceptorRequestOf(form)).toEqual({
    groupby: 'cell_type',
    pairs: 'abridged',
    min_share: 0.1,
    min_cells: 10,
    pval: 0.05,
    permutations: 1000,
    seed: 0,
  });
});

test('chosen groups and a list of one’s own go into the request', () => {
  const own = {
    ...form,
    groups: '["B cell","NK"]',
    pairs: ownListChoice,
    ownPairs: 'ligand,receptor\nA,B',
    minShare: '7',
  };
  expect(ligandReceptorRequestOf(own)).toMatchObject({
    groups: ['B cell', 'NK'],
    own_pairs: 'ligand,receptor\nA,B',
    min_share: 0.07,
  });
  expect(ligandReceptorRequestOf(own)).not.toHaveProperty('pairs');
});

test('a set of which the dataset has no pair is refused before the run', () => {
  const set = { name: 'abridged', title: 'abridged', about: '', species: 'human' };
  const offered = { ...set, total: 100, foundCount: 1, largestType: 1 };
  expect(pairsNote(offered)).toEqual({ hint: '1 of 100 pairs has both genes in this dataset.' });
  expect(isComplete(form, analysis, [offered])).toBe(true);
  expect(pairsNote({ ...offered, foundCount: 0 })).toEqual({
    problem: 'None of its 100 pairs has both genes in this dataset: choose another set, or paste your own.',
  });
  expect(isComplete(form, analysis, [{ ...offered, foundCount: 0 }])).toBe(false);
});

test.each([
  ['a column that the dataset has not', { groupBy: 'gone' }],
  ['one group', { groups: '["NK"]' }],
  ['a list that is empty', { pairs: ownListChoice }],
  ['a list without a heading', { pairs: ownListChoice, ownPairs: 'A,B' }],
  ['too few permutations', { permutations: '5' }],
  ['a share over all', { minShare: '101' }],
])('a form with %s is not complete', (_, change) => {
  expect(isComplete(form, analysis)).toBe(true);
  expect(isComplete({ ...form, ...change }, analysis)).toBe(false);
});
