import { AuthClient } from '@supabase/auth-js';
import { sessionStorageKey } from './visitor-session.ts';

export function createAuthClient(
  { supabaseUrl, publishableKey }: { supabaseUrl: string; publishableKey: string },
  fetch?: typeof globalThis.fetch,
): InstanceType<typeof AuthClient> {
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey: sessionStorageKey,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
    ...(fetch !== undefined && { fetch }),
  });
}
