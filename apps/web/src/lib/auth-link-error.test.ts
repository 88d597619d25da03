import { expect, test } from 'vitest';
import { authLinkError } from './auth-link-error.ts';

test('a confirmation link that failed says why; an address without one says nothing', () => {
  expect(
    authLinkError('#error=access_denied&error_code=otp_expired&error_description=Email+link+has+expired'),
  ).toBe('Email link has expired');
  expect(authLinkError('#error=access_denied')).toBe('access_denied');
  expect(authLinkError('#access_token=x&type=signup')).toBeNull();
  expect(authLinkError('')).toBeNull();
});
