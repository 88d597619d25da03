import type { AuthChangeEvent, Factor, Session } from '@supabase/auth-js';

export interface SignedInUser {
  id: string;
  email: string;
  /** When the account was created, as ISO 8601; `null` if unknown. */
  createdAt: string | null;
}

interface SecondStepFactor {
  id: string;
  /** As its user named it; may be empty. */
  name: string;
  type: Factor['factor_type'];
}

/** The password was correct; the user is signed in after the second factor. */
export interface PendingSecondStep {
  user: SignedInUser;
  factors: readonly SecondStepFactor[];
}

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; secondStep?: PendingSecondStep }
  | { status: 'signed-in'; user: SignedInUser };

export interface SessionSource {
  onAuthStateChange(listener: (event: AuthChangeEvent, session: Session | null) => void): unknown;
}

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
  if (session === null) return { status: 'signed-out' };
  const { id, email = '', created_at, factors = [] } = session.user;
  const user = { id, email, createdAt: created_at ?? null };
  const verified = factors.filter(({ status }) => status === 'verified');
  if (verified.length === 0 || levelOf(session.access_token) !== 'aal1') return { status: 'signed-in', user };
  return {
    status: 'signed-out',
    secondStep: {
      user,
      factors: verified.map((factor) => ({
        id: factor.id,
        name: factor.friendly_name ?? '',
        type: factor.factor_type,
      })),
    },
  };
}

function levelOf(accessToken: string): string | null {
  try {
    const [, claims = ''] = accessToken.split('.');
    const parsed: unknown = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof parsed === 'object' && parsed !== null && 'aal' in parsed ? String(parsed.aal) : null;
  } catch {
    return null;
  }
}

/** A token refresh changes nothing on the page. */
function same(a: SessionState, b: SessionState): boolean {
  if (a.status === 'signed-in' && b.status === 'signed-in') return sameUser(a.user, b.user);
  if (a.status === 'signed-out' && b.status === 'signed-out') {
    return a.secondStep === undefined || b.secondStep === undefined
      ? a.secondStep === b.secondStep
      : sameUser(a.secondStep.user, b.secondStep.user);
  }
  return a.status === b.status;
}

function sameUser(a: SignedInUser, b: SignedInUser): boolean {
  return a.id === b.id && a.email === b.email;
}
