import { useMemo } from 'react';
import { Navigate, useLocation } from 'react-router';
import { signedOutByChoice } from '@/lib/end-lost-session.ts';

/** Leads to sign-in, and from there back to this page; whoever signed out here is not led back. */
export function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  const next = signedOutByChoice() ? null : pathname + search + hash;
  // Another state is another step: with one for each render, steps would follow each other while the page loads.
  const state = useMemo(() => ({ next }), [next]);
  return <Navigate to="/auth" replace state={state} />;
}
