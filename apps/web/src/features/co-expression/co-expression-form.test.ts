import { coExpressionRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { coExpressionDefaults, coExpressionRequestOf, isComplete } from './co-expression-form.ts';

test('a form as it comes asks for the defaults, and leaves the model to what the dataset has', () => {
  expect(isComplete(coExpressionDefaults)).toBe(true);
  const request = coExpressionRequestOf(coExpressionDefaults);
  expect(request).toEqual({
    n_neighbors: 30,
    max_genes: 500,
    min_module_genes: 15,
    fdr: 0.05,
    min_cells: 10,
  });
  expect(coExpressionRequest.parse(request)).toEqual(coExpressionRequest.parse({}));
});

test.each([
  ['a module of four genes', { moduleGenes: '4' }],
  ['more genes than are paired', { maxGenes: '501' }],
  ['four neighbours', { neighbors: '4' }],
  ['a limit of nothing', { fdr: '0' }],
])('%s is not complete', (_what, change) => {
  expect(isComplete({ ...coExpressionDefaults, ...change })).toBe(false);
});

test('a model that is chosen is asked for, and a stored one that there is not is none', () => {
  expect(coExpressionRequestOf({ ...coExpressionDefaults, model: 'normal' }).model).toBe('normal');
  expect(coExpressionRequestOf({ ...coExpressionDefaults, model: 'x' }).model).toBeUndefined();
});
