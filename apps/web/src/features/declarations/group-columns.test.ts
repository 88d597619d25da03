import { expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { groupChoices, groupNames, ownGroups } from './group-columns.ts';
import { chosenGroups } from './groups-field.tsx';

test('the groups of a column are those of the dataset', () => {
  const analysis = datasetAnalysis({
    cell_types: ['B cell', 'T cell', 'NK'],
    leiden_clusters: ['0', '1'],
    patient_metadata: { Stage: ['I', 'II'] },
    columns: {
      cell_types: 'annotation',
      leiden_clusters: 'louvain',
      patient_metadata: [{ field: 'Stage', column: 'stage_of_tumour' }],
    },
  });
  expect(groupNames(analysis, 'annotation')).toEqual(['B cell', 'T cell', 'NK']);
  expect(groupNames(analysis, 'louvain')).toEqual(['0', '1']);
  expect(groupNames(analysis, 'stage_of_tumour')).toEqual(['I', 'II']);
  expect(groupNames(analysis, 'cell_type')).toEqual(['B cell', 'T cell', 'NK']);
  expect(groupNames(analysis, 'Stage')).toEqual(['I', 'II']);
  expect(groupNames(analysis, '__proto__')).toEqual([]);
});

test('what is no list of groups chooses all', () => {
  expect(chosenGroups({ groups: '["NK"]' })).toEqual(['NK']);
  expect(chosenGroups({ groups: 'no list' })).toBeUndefined();
});

test('an annotation of one group is offered: its cells are compared with the unlabelled ones', () => {
  const annotation = (name: string, groups: readonly string[]) => ({
    id: '8b1f6c1e-5b7e-4a0e-9d52-1f3c1b7a9a10',
    name,
    revision: 1,
    version: '1',
    groups: groups.map((group) => ({ name: group, colour: '#112233', cells: 9 })),
    unlabelled: 20,
    history: [],
  });
  const offered = ownGroups([annotation('My labels', ['Odd ones']), annotation('Empty', [])]);
  expect(offered.map(({ label, names }) => [label, names])).toEqual([['My labels', ['Odd ones']]]);
});

const columns = { cell_types: 'cell_type', leiden_clusters: 'leiden_2', patient_metadata: [] };

test('cells are grouped by cell type, cluster or any metadata, whatever its name', () => {
  const patient_metadata = JSON.parse('{"__proto__":["a","b"],"treatment":["x"],"leiden":["0"],"empty":[]}');
  expect(
    groupChoices({ cell_types: ['B', 'T'], leiden_clusters: [], patient_metadata, columns }).map(
      ({ value }) => value,
    ),
  ).toEqual(['cell_type', '__proto__', 'treatment']);
});

test('a part is called with the column that plays it, as maps are, unless both are called the same', () => {
  const analysis = { cell_types: ['B', 'T'], leiden_clusters: ['0', '1'], patient_metadata: {}, columns };
  expect(groupChoices(analysis).map(({ label }) => label)).toEqual(['Cell type', 'Cluster, Leiden 2']);
});
