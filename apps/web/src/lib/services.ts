import type { PublicConfig } from '@cellfolio/contract';
import type { AuthClient as SupabaseAuthClient } from '@supabase/auth-js';
import { createContext, use, useSyncExternalStore } from 'react';
import type { ApiClient } from './api-client.ts';
import type { Backend } from './backend.ts';
import type { SessionState, SessionStore } from './session-store.ts';

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

/** What the pages reach the outside through; tests pass their own. */
export interface Services extends Backend {
  config: PublicConfig;
  api: ApiClient;
  auth: AuthClient;
  /** The client that visits other providers; see `provider-auth.ts`. */
  providerAuth: () => AuthClient;
  session: SessionStore;
  /** Why the link that opened the page failed; `null` when none did. */
  linkError: string | null;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === null) throw new Error('ServicesContext is missing above this component.');
  return services;
}

export function useSession(): SessionState {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.get);
}
