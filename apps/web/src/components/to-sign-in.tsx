import { Navigate, useLocation } from 'react-router';
import { signedOutByChoice } from '@/lib/end-lost-session.ts';

/** Leads to sign-in, and from there back to this page; whoever signed out here is not led back. */
export function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  const next = signedOutByChoice() ? null : pathname + search + hash;
  return <Navigate to="/auth" replace state={{ next }} />;
}
