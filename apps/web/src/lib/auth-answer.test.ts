import { expect, test } from 'vitest';
import { authAnswerPath, authLinkError } from './auth-answer.ts';

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

test('a confirmation link that failed says why; an address without one says nothing', () => {
  expect(
    authLinkError('#error=access_denied&error_code=otp_expired&error_description=Email+link+has+expired'),
  ).toBe('Email link has expired');
  expect(authLinkError('#error=access_denied')).toBe('access_denied');
  expect(authLinkError('#access_token=x&type=signup')).toBeNull();
  expect(authLinkError('')).toBeNull();
});
