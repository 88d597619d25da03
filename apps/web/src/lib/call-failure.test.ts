import { expect, test } from 'vitest';
import { ApiRefusal } from './api-errors.ts';
import { callFailure, failureNotice, refusalOf } from './call-failure.ts';

const refusal = new ApiRefusal(422, 'not_drawable', 'The column Missnum has no values.');

test('a refusal is shown in the words of the server, without its status', () => {
  const failure = callFailure('Failed to draw the figure', refusal);
  expect(failure.message).toBe('Failed to draw the figure: The column Missnum has no values.');
  expect(failure.reason).toBe('The column Missnum has no values.');
});

test('the calls of genes, signatures and cell states name the status too', () => {
  expect(callFailure('Failed to score signature', refusal).message).toBe(
    'Failed to score signature: 422 - The column Missnum has no values.',
  );
});

test('a refusal that a retry cannot mend is distinguished from a failure that may pass', () => {
  expect(refusalOf(callFailure('Failed to draw the figure', refusal))).toBe(
    'The column Missnum has no values.',
  );
  for (const other of [
    new ApiRefusal(500, 'internal_error', 'Boom'),
    new ApiRefusal(409, 'dataset_changed', 'Replaced.'),
    new ApiRefusal(400, 'no_dataset_loaded', 'No dataset loaded.'),
    new TypeError('Failed to fetch'),
  ]) {
    expect(refusalOf(callFailure('Failed to draw the figure', other))).toBeUndefined();
  }
});

test('a notice suggests a retry only for what may succeed then', () => {
  const words = 'Failed to generate gene UMAP plots. Please try again.';
  const notice = (status: number, code: string) =>
    failureNotice(callFailure('Failed', new ApiRefusal(status, code, 'The server says why.')), words);
  expect(notice(422, 'not_drawable')).toBe('The server says why.');
  expect(notice(422, 'no_genes_found')).toBe('The server says why.');
  expect(notice(500, 'internal_error')).toBe(words);
});
