import { AuthClient } from '@supabase/auth-js';
import type { PublicConfig } from '@cellfolio/contract';

const storageKey = 'cellfolio-provider';

/**
 * Client for sign-in with other providers: it returns with a code that only this browser can exchange for a session
 * (PKCE). It is separate from the pages' client, which also accepts mail links, and those are often opened in another
 * browser than the one that requested them. Its session is handed to the pages' client and not stored.
 */
export function createProviderAuth(
  { supabaseUrl, publishableKey }: Pick<PublicConfig, 'supabaseUrl' | 'publishableKey'>,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = sessionStorage,
): InstanceType<typeof AuthClient> {
  let session: string | null = null;
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    // Only the secret half of the challenge has to outlive the visit.
    storage: {
      getItem: (key) => (key === storageKey ? session : storage.getItem(key)),
      setItem: (key, value) => {
        if (key === storageKey) session = value;
        else storage.setItem(key, value);
      },
      removeItem: (key) => {
        if (key === storageKey) session = null;
        else storage.removeItem(key);
      },
    },
  });
}
