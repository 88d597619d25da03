import type { Session } from '@supabase/auth-js';
import { expect, test, vi } from 'vitest';
import { createSessionStore } from './session-store.ts';
import type { SessionSource } from './session-store.ts';

test('M56 the session is loading, then follows sign-in and sign-out; a token refresh changes nothing', () => {
  let listener: Parameters<SessionSource['onAuthStateChange']>[0] = () => {};
  const store = createSessionStore({ onAuthStateChange: (given) => (listener = given) });
  const heard = vi.fn();
  store.subscribe(heard);
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
  expect(heard).toHaveBeenCalledTimes(1);
  listener('SIGNED_OUT', null);
  expect(store.get()).toEqual({ status: 'signed-out' });
  expect(heard).toHaveBeenCalledTimes(2);
});
