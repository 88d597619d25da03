import { expect, test } from 'vitest';
import { nameInParent, partText } from './part-of.tsx';
import {
  batchColumns,
  choicesOf,
  emptyForm,
  integrationHint,
  subclusteringSettings,
} from './subclustering-form.ts';

const analysis = {
  columns: {
    patient_metadata: [
      { field: 'Treatment', column: 'treatment' },
      { field: 'Donor', column: 'donor' },
      { field: 'Tissue', column: 'tissue' },
    ],
  },
  patient_metadata: { Treatment: ['before', 'after'], Donor: ['A', 'B'], Tissue: ['breast'] },
  samples: { column: 'donor', reason: 'by its name' },
} as unknown as Parameters<typeof batchColumns>[0];
const integrated = {
  ...analysis,
  processing: { samples: { batchColumn: 'treatment', integration: { method: 'mnn' }, clusterings: [] } },
} as unknown as typeof analysis;

test('batches may be distinguished by columns of several values, that of the samples first', () => {
  expect(batchColumns(analysis)).toEqual(['donor', 'treatment']);
});

test('a part is integrated by default where its dataset was, over the same column', () => {
  expect(choicesOf(emptyForm('', analysis))).toEqual({ resolutions: [0.5, 2] });
  expect(choicesOf(emptyForm('', integrated))).toEqual({
    resolutions: [0.5, 2],
    integrate: 'mnn',
    batchColumn: 'treatment',
  });
  expect(integrationHint(integrated)).toContain('over treatment');
});

test('what is typed is sent, what is empty has its default, and each setting says why', () => {
  const form = { ...emptyForm('', analysis), typed: { resolution: '0,4', components: '', deviations: '3' } };
  expect(choicesOf(form)).toEqual({ resolution: 0.4, resolutions: [0.5, 2] });
  expect(subclusteringSettings.map(({ name }) => name)).toEqual([
    'variableGenes',
    'components',
    'neighbours',
    'resolution',
    'minimumDistance',
  ]);
});

test('labels that a part brings to its parent do not repeat the name of the parent', () => {
  expect(nameInParent('Tumours, Monocyte', 'Tumours')).toBe('Monocyte');
  for (const name of ['Tumours', 'Tumours, ', 'Tumours of mice, Monocyte', 'Mine'])
    expect(nameInParent(name, 'Tumours')).toBe(name);
});

test('a part says how many cells of how many it is, and which', () => {
  const part = {
    dataset_filename: 'a.h5ad',
    version: 'v',
    name: 'A',
    subset: 'T',
    definition: 'T cells',
    cells: 1234,
    of_cells: 5000,
  };
  expect(partText(part)).toBe('1,234 of 5,000 cells, T cells');
  expect(partText({ ...part, cells: 5000, definition: 'all cells' })).toBe('all 5,000 cells');
});
