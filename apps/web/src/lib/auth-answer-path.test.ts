import { expect, test } from 'vitest';
import { authAnswerPath } from './auth-answer-path.ts';

test.each([
  ['/', '#access_token=a&refresh_token=b', '/dataset-selector#access_token=a&refresh_token=b'],
  ['/pricing', '#error=access_denied', '/dataset-selector#error=access_denied'],
  ['/dataset-selector', '#access_token=a', null],
  ['/auth/confirm', '#error=access_denied', null],
  ['/', '#how-it-works', null],
  ['/', '', null],
  ['/authors', '#error=x', '/dataset-selector#error=x'],
])('the answer of a mailed link at %s %s is read at %s', (pathname, hash, expected) => {
  expect(authAnswerPath({ pathname, hash })).toBe(expected);
});
