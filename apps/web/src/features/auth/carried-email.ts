import { useLocation } from 'react-router';

/** The address that was typed on the page before: carried beside the address bar, not in it. */
export function useCarriedEmail(): string {
  const state: unknown = useLocation().state;
  return typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';
}
