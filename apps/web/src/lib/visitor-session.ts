import type { SessionState, SessionStore } from './session-store.ts';

export const sessionStorageKey = 'cellfolio-auth';

interface VisitorSession extends SessionStore {
  /** Reads the session and subscribes to changes; until then its status is unknown. */
  begin: () => void;
  follow: (session: SessionStore) => void;
}

/**
 * Session for pages that most visitors read without signing in: a browser without a stored session has no user, which
 * needs no authentication client. The client (`load`) is loaded if a session is stored, or when another tab signs in;
 * its session then applies.
 */
export function createVisitorSession(load: () => Promise<{ session: SessionStore }>): VisitorSession {
  let state: SessionState = { status: 'loading' };
  let real: SessionStore | null = null;
  const listeners = new Set<() => void>();
  const tell = (next: SessionState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const follow = (session: SessionStore) => {
    if (real !== null) return;
    real = session;
    const pass = () => {
      if (session.get().status !== 'loading') tell(session.get());
    };
    session.subscribe(pass);
    pass();
  };
  const ask = () => {
    load().then(
      ({ session }) => follow(session),
      // The page works without it; its Login link shows the error.
      () => tell({ status: 'signed-out' }),
    );
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow,
    begin() {
      if (keepsSession()) ask();
      else tell({ status: 'signed-out' });
      addEventListener('storage', ({ key }) => {
        if (real === null && key === sessionStorageKey && keepsSession()) ask();
      });
    },
  };
}

function keepsSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey) !== null;
  } catch {
    // If storage is blocked, the client stores no session either.
    return false;
  }
}
