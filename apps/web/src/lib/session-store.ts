import type { AuthChangeEvent, Session } from '@supabase/auth-js';

export interface SignedInUser {
  id: string;
  email: string;
  /** When the account was made, as ISO 8601; `null` where the service did not say. */
  createdAt: string | null;
}

export type SessionState =
  { status: 'loading' } | { status: 'signed-out' } | { status: 'signed-in'; user: SignedInUser };

/** The part of the authentication client that says who is signed in. */
export interface SessionSource {
  onAuthStateChange(listener: (event: AuthChangeEvent, session: Session | null) => void): unknown;
}

/** Who is signed in, in the shape of `useSyncExternalStore`. Follows sign-in, refresh and sign-out. */
export interface SessionStore {
  get(): SessionState;
  subscribe(listener: () => void): () => void;
}

export function createSessionStore(source: SessionSource): SessionStore {
  let state: SessionState = { status: 'loading' };
  const listeners = new Set<() => void>();
  source.onAuthStateChange((_event, session) => {
    const next = stateOf(session);
    if (same(state, next)) return;
    state = next;
    for (const listener of listeners) listener();
  });
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function stateOf(session: Session | null): SessionState {
  return session === null ? { status: 'signed-out' } : { status: 'signed-in', user: userOf(session) };
}

function userOf({ user }: Session): SignedInUser {
  return { id: user.id, email: user.email ?? '', createdAt: user.created_at ?? null };
}

/** A token refresh changes nothing on the page. */
function same(a: SessionState, b: SessionState): boolean {
  return a.status === 'signed-in' && b.status === 'signed-in'
    ? a.user.id === b.user.id && a.user.email === b.user.email
    : a.status === b.status;
}
