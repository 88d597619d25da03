import { gradientRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import {
  axisByOf,
  coordinateProblem,
  type GradientForm,
  gradientDefaults,
  gradientRequestOf,
  isComplete,
  lineProblem,
} from './gradient-form.ts';

const form = (change: Partial<GradientForm>): GradientForm => ({ ...gradientDefaults, ...change });
const line = { axisBy: 'line', fromX: '-1,5', fromY: '0', toX: '2', toY: '−3' };
const groups = { axisBy: 'groups', lineGroupBy: 'cell_type', lineFrom: 'B', lineTo: 'T' };

test.each([
  [{ gene: ' CD8A ' }, { of: 'gene', gene: 'CD8A' }],
  [
    { axisBy: 'signature', signature: 'A, B;A\nC', signatureName: ' Mine ' },
    { of: 'signature', score_name: 'Mine', genes: ['A', 'B', 'C'] },
  ],
  [
    { axisBy: 'cell-state', cellState: 'HYPOXIA' },
    { of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 3 },
  ],
  [
    { axisBy: 'column', column: 'depth' },
    { of: 'column', column: 'depth' },
  ],
  [
    { axisBy: 'pseudotime', groupBy: 'cell_type' },
    { of: 'pseudotime', groupby: 'cell_type', root: { by: 'suggestion' }, n_neighbors: 15, n_dcs: 10 },
  ],
  [groups, { of: 'groups', groupby: 'cell_type', from: 'B', to: 'T' }],
  [
    { ...line, embedding: 'X_tsne' },
    { of: 'line', from: [-1.5, 0], to: [2, -3], embedding: 'X_tsne' },
  ],
])('what is typed becomes an axis that the server takes: %#', (change, axis) => {
  expect(isComplete(form(change))).toBe(true);
  const request = gradientRequestOf(form(change));
  expect(request).toEqual({ axis, within_samples: true, degrees: 4 });
  expect(gradientRequest.safeParse(request).success).toBe(true);
});

test.each([
  ['no gene', {}],
  ['a signature without genes', { axisBy: 'signature', signature: ' , ' }],
  ['an unknown cell state', { axisBy: 'cell-state', cellState: 'X' }],
  ['no column', { axisBy: 'column' }],
  ['pseudotime without groups', { axisBy: 'pseudotime' }],
  ['one group', { ...groups, lineTo: '' }],
  ['a line from a group to itself', { ...groups, lineTo: 'B' }],
  ['a coordinate that is none', { ...line, toX: 'right' }],
  ['a line without length', { ...line, toX: '-1.5', toY: '0' }],
  ['nine degrees of freedom', { gene: 'A', degrees: '9' }],
  ['thirteen genes of curves', { gene: 'A', genes: Array.from({ length: 13 }, (_, i) => `G${i}`).join() }],
])('%s cannot run', (_what, change) => {
  expect(isComplete(form(change))).toBe(false);
});

test('the test, the samples and the genes of the curves go along', () => {
  const request = gradientRequestOf(form({ gene: 'A', test: 'pooled', samples: 'donor', genes: 'B C' }));
  expect(request).toMatchObject({ within_samples: false, samples: 'donor', genes: ['B', 'C'] });
});

test('what is remembered from before and is no choice any more is a gene', () => {
  expect(axisByOf({ axisBy: 'gone' })).toBe('gene');
  expect(coordinateProblem('')).toBe('Enter a number.');
  expect(lineProblem(form(groups))).toBeUndefined();
  expect(lineProblem(form({ ...groups, lineTo: 'B' }))).toBe(
    'Choose two groups: the line connects their centres.',
  );
});
