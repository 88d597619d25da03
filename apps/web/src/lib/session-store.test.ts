import type { Session } from '@supabase/auth-js';
import { expect, test, vi } from 'vitest';
import { createSessionStore } from './session-store.ts';
import type { SessionSource } from './session-store.ts';

test('the session is loading, then follows sign-in and sign-out; a token refresh changes nothing', () => {
  let listener: Parameters<SessionSource['onAuthStateChange']>[0] = () => {};
  const store = createSessionStore({ onAuthStateChange: (handler) => (listener = handler) });
  const subscriber = vi.fn();
  store.subscribe(subscriber);
  expect(store.get()).toEqual({ status: 'loading' });

  const created_at = '2026-11-20T08:00:00Z';
  const session = { user: { id: 'ada', email: 'ada@cellfolio.test', created_at } } as Session;
  listener('INITIAL_SESSION', session);
  const signedIn = store.get();
  expect(signedIn).toEqual({
    status: 'signed-in',
    user: { id: 'ada', email: 'ada@cellfolio.test', createdAt: created_at },
  });
  listener('TOKEN_REFRESHED', { ...session, user: { ...session.user } });
  expect(store.get()).toBe(signedIn);
  expect(subscriber).toHaveBeenCalledTimes(1);
  listener('SIGNED_OUT', null);
  expect(store.get()).toEqual({ status: 'signed-out' });
  expect(subscriber).toHaveBeenCalledTimes(2);
});

test('with a second step set up, no user is signed in before it was taken', () => {
  let listener: Parameters<SessionSource['onAuthStateChange']>[0] = () => {};
  const store = createSessionStore({ onAuthStateChange: (handler) => (listener = handler) });
  const factor = { id: 'f', friendly_name: 'Phone', factor_type: 'totp', status: 'verified' };
  const sessionAt = (aal: string, factors: object[]) =>
    ({
      access_token: `e30.${btoa(JSON.stringify({ aal, name: '?>?>' }))
        .replaceAll('+', '-')
        .replaceAll('/', '_')}.x`,
      user: { id: 'ada', email: 'ada@cellfolio.test', factors },
    }) as unknown as Session;
  const user = { id: 'ada', email: 'ada@cellfolio.test', createdAt: null };

  listener('SIGNED_IN', sessionAt('aal1', [factor]));
  expect(store.get()).toEqual({
    status: 'signed-out',
    secondStep: { user, factors: [{ id: 'f', name: 'Phone', type: 'totp' }] },
  });
  listener('MFA_CHALLENGE_VERIFIED', sessionAt('aal2', [factor]));
  expect(store.get()).toEqual({ status: 'signed-in', user });
  listener('SIGNED_IN', sessionAt('aal1', [{ ...factor, status: 'unverified' }]));
  expect(store.get().status).toBe('signed-in');
});
