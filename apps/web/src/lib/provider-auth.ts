import { AuthClient } from '@supabase/auth-js';
import type { PublicConfig } from '@cellfolio/contract';

const storageKey = 'cellfolio-provider';

/**
 * The client that visits other providers and comes back with a code, which only this browser can turn into a session
 * (PKCE). It is not the client of the page: that one also takes the links of mails, which are often opened in another
 * browser than the one that asked for them. Its session is handed to the client of the page and kept nowhere.
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
