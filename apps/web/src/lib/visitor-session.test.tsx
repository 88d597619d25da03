import { afterEach, expect, test, vi } from 'vitest';
import type { SessionState, SessionStore } from './session-store.ts';
import { createVisitorSession, sessionStorageKey } from './visitor-session.ts';

afterEach(() => localStorage.clear());

const ada: SessionState = {
  status: 'signed-in',
  user: { id: 'ada', email: 'ada@cellfolio.test', createdAt: null },
};

function realSession() {
  let state: SessionState = { status: 'loading' };
  const listeners = new Set<() => void>();
  const store: SessionStore = {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    store,
    set(next: SessionState) {
      state = next;
      for (const listener of listeners) listener();
    },
  };
}

test('a browser that keeps no session has no user signed in, and loads nothing to say so', () => {
  const load = vi.fn(async () => ({ session: realSession().store }));
  const session = createVisitorSession(load);
  expect(session.get().status).toBe('loading');
  session.begin();
  expect(session.get().status).toBe('signed-out');
  expect(load).not.toHaveBeenCalled();
});

test('a kept session is looked at by the authentication client, which counts from then on', async () => {
  localStorage.setItem(sessionStorageKey, '{}');
  const real = realSession();
  const session = createVisitorSession(async () => ({ session: real.store }));
  const subscriber = vi.fn();
  session.subscribe(subscriber);
  session.begin();
  await Promise.resolve();
  expect(session.get().status).toBe('loading');
  real.set(ada);
  expect(session.get()).toBe(ada);
  real.set({ status: 'signed-out' });
  expect(session.get().status).toBe('signed-out');
  expect(subscriber).toHaveBeenCalledTimes(2);
});

test('signing in in another tab shows here', async () => {
  const real = realSession();
  real.set(ada);
  const session = createVisitorSession(async () => ({ session: real.store }));
  session.begin();
  expect(session.get().status).toBe('signed-out');
  localStorage.setItem(sessionStorageKey, '{}');
  dispatchEvent(new StorageEvent('storage', { key: sessionStorageKey }));
  await expect.poll(() => session.get()).toBe(ada);
});

test('where the services cannot be had, the page is read as by somebody who is signed out', async () => {
  localStorage.setItem(sessionStorageKey, '{}');
  const session = createVisitorSession(() => Promise.reject(new Error('no settings')));
  session.begin();
  await expect.poll(() => session.get().status).toBe('signed-out');
});
