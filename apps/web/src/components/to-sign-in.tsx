import { useMemo } from 'react';
import { Navigate, useLocation } from 'react-router';
import { signedOutByChoice } from '@/lib/end-lost-session.ts';

/** Redirects to sign-in, and from there back to this page unless the user signed out here. */
export function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  const next = signedOutByChoice() ? null : pathname + search + hash;
  // A new state object is a new navigation: one per render would repeat it while the page loads.
  const state = useMemo(() => ({ next }), [next]);
  return <Navigate to="/auth" replace state={state} />;
}
