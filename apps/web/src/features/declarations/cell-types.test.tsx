import { cellTypes } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import { ownListChoice } from '@/features/analyses/index.ts';
import { ownColumn } from './group-columns.ts';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const analysis = datasetAnalysis({ leiden_clusters: ['0', '1'], patient_metadata: { Stage: ['I', 'II'] } });
const { form: module, ...page } = moduleOf(cellTypes);
const { defaults, isComplete } = module;
const requestOf = (form: typeof defaults) => module.requestOf(form, analysis);

test('a form has the defaults of the server, its shares as percentages, and the clusters until other groups are chosen', () => {
  expect(defaults).toMatchObject({
    min_share: '10',
    min_margin: '10',
    min_markers: '3',
    markers: 'abridged',
  });
  expect(requestOf(defaults)).toEqual({
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
    ...defaults,
    groups: '["0","1"]',
    markers: ownListChoice,
    own_markers: 'cell_type,gene\nB,CD19',
    min_margin: '7',
  };
  expect(requestOf(own)).toMatchObject({
    groups: ['0', '1'],
    own_markers: 'cell_type,gene\nB,CD19',
    min_margin: 0.07,
  });
  expect(requestOf(own)).not.toHaveProperty('markers');
});

test('an annotation of one’s own is a column by its name', () => {
  const own = { ...defaults, groupby: ownColumn('leiden, merged') };
  expect(isComplete(own, analysis)).toBe(true);
  expect(requestOf(own)).toMatchObject({ groupby: 'leiden, merged' });
});

test.each([
  ['a column that the dataset has not', { groupby: 'gone' }],
  ['one group', { groups: '["0"]' }],
  ['a list that is empty', { markers: ownListChoice }],
  ['a list without a heading', { markers: ownListChoice, own_markers: 'A,B' }],
  ['a margin over all', { min_margin: '101' }],
])('a form with %s is not complete', (_, change) => {
  expect(isComplete(defaults, analysis)).toBe(true);
  expect(isComplete({ ...defaults, ...change }, analysis)).toBe(false);
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
  const check = (change: Partial<typeof list>, min_markers = '3') => {
    const offered = { ...list, ...change };
    const note = cellTypes.notes!({ min_markers: Number(min_markers) }, { list: offered })['markers'];
    return [isComplete({ ...defaults, min_markers }, analysis, [offered]), note?.problem ?? note?.hint];
  };
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
  expect(isComplete(defaults, rat, [list])).toBe(false);
});

test('the line of a request names its markers and groups', () => {
  expect(page.requestLine({ groupby: 'leiden' }, 'all cells')).toBe(
    'Markers abridged in the groups of Cluster, all cells',
  );
  expect(page.startedText!({ groupby: 'leiden', groups: ['0', '1'], own_markers: 'A' })).toBe(
    'Looking for markers of your own list in 2 groups of Cluster',
  );
});
