import { comparison } from '@cellfolio/analyses';
import { describe, expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { questionsFor } from './questions.ts';

const treated = {
  cell_types: ['B cell', 'T cell'],
  cell_type_counts: { 'B cell': 30, 'T cell': 20 },
  leiden_clusters: ['0', '1'],
  gene_library: ['Cd3d', 'Ms4a1', 'Foxp3'],
  patient_metadata: { patient: ['P1', 'P2'], treatment: ['Chemotherapy', 'Steroids', 'Untreated'] },
  patient_metadata_counts: { patient: [25, 25], treatment: [10, 30, 10] },
  columns: { cell_types: 'cell_type', leiden_clusters: 'leiden', patient_metadata: [] },
  samples: { column: 'patient', reason: 'the column of patients' },
  raw_counts: true,
};
const textsFor = (change: object) => questionsFor(datasetAnalysis(change)).map(({ text }) => text);

describe('example questions', () => {
  test('are made of the types, genes, conditions and samples of the dataset', () => {
    expect(textsFor(treated)).toEqual([
      'Where is Foxp3 expressed?',
      'What marks each cell type?',
      'T cell: which genes differ between “Steroids” and “Untreated”?',
      'Does the composition change with treatment?',
    ]);
  });

  test('compare the cells of a type in the largest group with those of the control', () => {
    const question = questionsFor(datasetAnalysis(treated)).find(({ text }) => text.startsWith('T cell'));
    expect(question).toMatchObject({
      request: {
        a: { filter: { cell_type: ['T cell'], patient_metadata: { treatment: ['Steroids'] } } },
        b: { filter: { cell_type: ['T cell'], patient_metadata: { treatment: ['Untreated'] } } },
      },
    });
  });

  test('compare with the control, and with no cells that have no value', () => {
    const response = { ...treated, patient_metadata: { response: ['Unknown', 'abnormal', 'Normal tissue'] } };
    expect(textsFor({ ...response, patient_metadata_counts: { response: [40, 5, 5] } })[2]).toBe(
      'T cell: which genes differ between “abnormal” and “Normal tissue”?',
    );
  });

  test('compare no groups without a name', () => {
    const unnamed = {
      ...treated,
      cell_types: ['', 'B cell'],
      cell_type_counts: { '': 40, 'B cell': 10 },
      patient_metadata: { patient: ['P1', 'P2'], treatment: [' ', 'Steroids', 'Untreated'] },
      patient_metadata_counts: { treatment: [40, 5, 5] },
    };
    expect(textsFor(unnamed)).toContain('B cell: which genes differ between “Steroids” and “Untreated”?');
  });

  test('name sides with different names that the form takes, however long those of the groups are', () => {
    const long = (end: string) => `${'x'.repeat(490)} ${end}`;
    const questions = questionsFor(
      datasetAnalysis({
        ...treated,
        cell_types: [long('B'), 'B cell'],
        cell_type_counts: { [long('B')]: 40, 'B cell': 10 },
        patient_metadata: { patient: ['P1', 'P2'], treatment: [long('1'), long('2')] },
        patient_metadata_counts: { treatment: [40, 5] },
      }),
    );
    expect(questions).toHaveLength(4);
    for (const question of questions) {
      expect(question.text.length).toBeLessThan(200);
      if (!('request' in question) || !('a' in question.request)) continue;
      const { a, b } = comparison.request.pick({ a: true, b: true }).parse(question.request);
      expect(a.name).not.toBe(b?.name);
    }
  });

  test('leave out what the dataset has no columns for', () => {
    const clustersAlone = {
      ...treated,
      cell_types: [],
      cell_type_counts: {},
      gene_library: ['ENSG00000000003'],
      patient_metadata: { patient: ['P1', 'P2'], response: ['good', 'fair', 'poor'] },
      patient_metadata_counts: {},
      samples: undefined,
    };
    expect(textsFor(clustersAlone)).toEqual(['What marks each cluster?']);
    expect(textsFor({ ...clustersAlone, leiden_clusters: [] })).toEqual([]);
  });
});
