import type { SessionState, SessionStore } from './session-store.ts';

/** Where the authentication client keeps the session of this browser. */
export const sessionStorageKey = 'cellfolio-auth';

interface VisitorSession extends SessionStore {
  /** Looks who is signed in, and goes on listening; before that nothing is known. */
  begin: () => void;
  /** From here on the real session counts. */
  follow: (session: SessionStore) => void;
}

/**
 * Who is signed in, for pages that most people read without being so: a browser that keeps no session has nobody
 * signed in, which needs no authentication client. The client is loaded (`load`, whose session then counts) where
 * one is kept, or when another tab signs in.
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
      // The page can be read all the same, and its Login says more when it is followed.
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
    // Storage may be blocked: then the client keeps nothing there either.
    return false;
  }
}
