import { decileRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { decileDefaults, decileRequestOf, isComplete } from './decile-form.ts';

const samples = { column: 'donor', reason: 'the column of patients' };
const dataset = datasetAnalysis({ samples, raw_counts: true });

test('a form without what cells are ranked by is not complete, whatever it is', () => {
  for (const by of ['gene', 'signature', 'cell-state', 'column']) {
    expect(isComplete({ ...decileDefaults, by }, dataset)).toBe(false);
  }
});

test.each([
  [
    { by: 'gene', gene: 'CD8A' },
    { of: 'gene', gene: 'CD8A' },
  ],
  [
    { by: 'signature', genes: '["CD8A","GZMB"]', scoreName: ' Killing ' },
    { of: 'signature', score_name: 'Killing', genes: ['CD8A', 'GZMB'] },
  ],
  [
    { by: 'cell-state', state: 'HYPOXIA' },
    { of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 3 },
  ],
  [
    { by: 'column', column: 'n_genes' },
    { of: 'column', column: 'n_genes' },
  ],
])('%j is requested in the format of the server', (change, by) => {
  const form = { ...decileDefaults, ...change };
  expect(isComplete(form, dataset)).toBe(true);
  const request = decileRequestOf(form, dataset);
  expect(decileRequest.parse(request)).toMatchObject({
    by,
    share: 10,
    method: 'pseudobulk',
    min_sample_cells: 10,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
});

test('without samples or raw counts cells are tested, and pseudobulk that was chosen cannot run', () => {
  const form = { ...decileDefaults, gene: 'CD8A' };
  for (const other of [datasetAnalysis({ raw_counts: true }), datasetAnalysis({ samples })]) {
    expect(decileRequestOf(form, other).method).toBe('wilcoxon');
    expect(isComplete(form, other)).toBe(true);
    expect(isComplete({ ...form, method: 'pseudobulk' }, other)).toBe(false);
  }
});

test.each([
  ['share', '51'],
  ['share', '0'],
  ['minSampleCells', '0'],
  ['adjustedPValue', '2'],
])('%s of %s is not complete', (field, value) => {
  expect(isComplete({ ...decileDefaults, gene: 'CD8A', [field]: value }, dataset)).toBe(false);
});
