import { useLocation } from 'react-router';
import { authLinkError } from '@/lib/auth-link-error.ts';

/** Why the link that opened this page failed; `null` when none did, and on every page after it. */
export function useLinkError(): string | null {
  return authLinkError(useLocation().hash);
}
