import { expect, test } from 'vitest';
import { ownListChoice } from '@/features/analyses/index.ts';
import { ownColumn } from '@/features/markers/index.ts';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { cellTypeDefaults, cellTypeRequestOf, isComplete, markersNote } from './cell-type-form.ts';

const analysis = datasetAnalysis({ leiden_clusters: ['0', '1'], patient_metadata: { Stage: ['I', 'II'] } });
const form = { ...cellTypeDefaults, groupBy: 'leiden' };

test('a form has the defaults of the server, its shares as percentages', () => {
  expect(cellTypeDefaults).toMatchObject({
    minShare: '10',
    minMargin: '10',
    minMarkers: '3',
    markers: 'abridged',
  });
  expect(cellTypeRequestOf(form)).toEqual({
    groupby: 'leiden',
    markers: 'abridged',
    min_cells: 10,
    min_markers: 3,
    min_share: 0.1,
    min_margin: 0.1,
    pval: 0.05,
  });
});

test('chosen groups and a list of one’s own go into the request', () => {
  const own = {
    ...form,
    groups: '["0","1"]',
    markers: ownListChoice,
    ownMarkers: 'cell_type,gene\nB,CD19',
    minMargin: '7',
  };
  expect(cellTypeRequestOf(own)).toMatchObject({
    groups: ['0', '1'],
    own_markers: 'cell_type,gene\nB,CD19',
    min_margin: 0.07,
  });
  expect(cellTypeRequestOf(own)).not.toHaveProperty('markers');
});

test('an annotation of one’s own is a column by its name', () => {
  const own = { ...form, groupBy: ownColumn('leiden, merged') };
  expect(isComplete(own, analysis)).toBe(true);
  expect(cellTypeRequestOf(own).groupby).toBe('leiden, merged');
});

test.each([
  ['a column that the dataset has not', { groupBy: 'gone' }],
  ['one group', { groups: '["0"]' }],
  ['a list that is empty', { markers: ownListChoice }],
  ['a list without a heading', { markers: ownListChoice, ownMarkers: 'A,B' }],
  ['a margin over all', { minMargin: '101' }],
])('a form with %s is not complete', (_, change) => {
  expect(isComplete(form, analysis)).toBe(true);
  expect(isComplete({ ...form, ...change }, analysis)).toBe(false);
});

test('a list is refused before the run when the dataset has too few of its markers', () => {
  const list = {
    name: 'abridged',
    title: 'abridged',
    about: '',
    species: 'human',
    total: 400,
    foundCount: 30,
    largestType: 3,
  };
  const check = (change: Partial<typeof list>, minMarkers = '3') => [
    isComplete({ ...form, minMarkers }, analysis, [{ ...list, ...change }]),
    Object.values(markersNote({ ...list, ...change }, { minMarkers }))[0],
  ];
  expect(check({})).toEqual([true, '30 of 400 markers are in this dataset.']);
  expect(check({ foundCount: 0, largestType: 0 })).toEqual([
    false,
    'None of its 400 markers is in this dataset: choose another list, or paste your own.',
  ]);
  expect(check({}, '4')).toEqual([
    false,
    'No type has 4 markers in this dataset; the most is 3. Lower Min. Markers, choose another list, or paste your own.',
  ]);
  expect(check({ name: 'another', foundCount: 0, largestType: 0 })[0]).toBe(true);
  const rat = datasetAnalysis({
    leiden_clusters: ['0', '1'],
    species: { name: 'rat', mapped: [], named_as_human: false },
  });
  expect(isComplete(form, rat, [list])).toBe(false);
});
