import { compositionRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import {
  compositionDefaults,
  type CompositionForm,
  compositionRequestOf,
  isComplete,
  transformOf,
} from './composition-form.ts';

const set = (name: string) =>
  JSON.stringify({ name, filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] } });
const form = (change: Partial<CompositionForm> = {}): CompositionForm => ({
  ...compositionDefaults,
  a: set('treated'),
  ...change,
});
const samples = { column: 'donor', reason: 'the column of patients' };

test('a form asks for the shares of cell types of A against the rest unless it says otherwise', () => {
  const request = compositionRequestOf(form());
  expect(request).toEqual({
    a: expect.objectContaining({ name: 'treated' }),
    transform: 'logit',
    covariates: [],
    pairing: 'auto',
    min_sample_cells: 10,
    pvals_adj: 0.05,
  });
  expect(compositionRequest.safeParse(request).success).toBe(true);
  const other = form({
    b: set('control'),
    by: '__proto__',
    transform: 'asin',
    samples: 'library',
    covariates: '["batch"]',
    pairing: 'none',
  });
  expect(compositionRequestOf(other)).toMatchObject({
    b: { name: 'control' },
    by: '__proto__',
    transform: 'asin',
    samples: 'library',
    covariates: ['batch'],
    pairing: 'none',
  });
});

test('a form without A, without samples, or with numbers that the server refuses, cannot run', () => {
  expect(isComplete(form(), { samples })).toBe(true);
  expect(isComplete(form(), {})).toBe(false);
  expect(isComplete(form({ samples: 'library' }), {})).toBe(true);
  for (const wrong of [{ a: '' }, { minSampleCells: '0' }, { adjustedPValue: '2' }]) {
    expect(isComplete(form(wrong), { samples })).toBe(false);
  }
  // A scale that is kept from another version of the page.
  expect(transformOf({ transform: 'gone' }).value).toBe('logit');
});
