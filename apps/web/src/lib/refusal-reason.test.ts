import { expect, test } from 'vitest';
import { refusalReason, tableFailure } from './refusal-reason.ts';

const full = {
  code: 'PT409',
  message: 'There is room for 500 saved subsets.',
  hint: 'Delete subsets that are no longer needed, then save it again.',
};

test('the reason names a limit with what to do, however deep the error is nested', () => {
  const words = `${full.message} ${full.hint}`;
  expect(refusalReason(full)).toBe(words);
  expect(refusalReason(new Error('Not kept.', { cause: new Error('no', { cause: full }) }))).toBe(words);
  expect(refusalReason({ ...full, hint: null })).toBe(full.message);
  const network = { code: 'over_request_rate_limit', message: 'Too many requests from this network' };
  expect(refusalReason({ ...network, hint: 'Wait a few minutes.' })).toBe(
    'Too many requests from this network. Wait a few minutes.',
  );
});

test('the reason of a column that is too long names its limit alone', () => {
  const hint = 'Shorten it: title takes 2,000 characters at most.';
  const message = 'new row for relation "generated_images" violates check constraint "…"';
  expect(refusalReason({ code: '23514', message, hint })).toBe(hint);
  expect(refusalReason({ code: '23514', message, hint: null })).toBe('');
});

test.each([[null], ['text'], [new Error('Failed to fetch')], [{ code: '42501', message: 'no', hint: 'x' }]])(
  'any other failure has no reason: %j',
  (error) => expect(refusalReason(error)).toBe(''),
);

test('a name that another subset has is reported as such', () => {
  const message = 'duplicate key value violates unique constraint "subset_metadata_name"';
  expect(refusalReason({ code: '23505', message })).toMatch(
    /^Another subset of this dataset has this name\./,
  );
  expect(refusalReason({ code: '23505', message: 'duplicate key … "other"' })).toBe('');
});

test('a call without an answer is reported as such, in no words of the browser', () => {
  const words = 'The server did not answer. Check the connection and try again.';
  for (const browser of [
    'TypeError: Failed to fetch',
    'TypeError: NetworkError when attempting to fetch resource.',
  ]) {
    expect(tableFailure({ code: '', message: browser, hint: '', details: '' })).toBe(words);
  }
  expect(tableFailure(new TypeError('Load failed'))).toBe(words);
  expect(tableFailure(full)).toBe(`${full.message} ${full.hint}`);
  expect(tableFailure({ code: '42501', message: 'permission denied' })).toBe('permission denied');
});
