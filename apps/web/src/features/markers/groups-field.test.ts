import { expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { chosenGroups, groupNames } from './groups-field.tsx';

test('the groups of a column are those of the dataset', () => {
  const analysis = datasetAnalysis({
    cell_types: ['B cell', 'T cell', 'NK'],
    leiden_clusters: ['0', '1'],
    patient_metadata: { Stage: ['I', 'II'] },
  });
  expect(groupNames(analysis, 'cell_type')).toEqual(['B cell', 'T cell', 'NK']);
  expect(groupNames(analysis, 'Stage')).toEqual(['I', 'II']);
  expect(groupNames(analysis, '__proto__')).toEqual([]);
});

test('what is no list of groups chooses all', () => {
  expect(chosenGroups({ groups: '["NK"]' })).toEqual(['NK']);
  expect(chosenGroups({ groups: 'no list' })).toBeUndefined();
});
