import type { PublicConfig } from '@cellfolio/contract';
import type { AuthClient as SupabaseAuthClient } from '@supabase/auth-js';
import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import type { ApiClient } from './api-client.ts';
import type { Backend } from './backend.ts';
import type { SessionState, SessionStore } from './session-store.ts';

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

export interface Services extends Backend {
  config: PublicConfig;
  api: ApiClient;
  /** Calls as a visitor of the demo dataset, also while a user is signed in. */
  visitorApi: ApiClient;
  auth: AuthClient;
  providerAuth: () => AuthClient;
  session: SessionStore;
  linkError: string | null;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === null) throw new Error('ServicesContext is missing above this component.');
  return services;
}

export interface PublicServices {
  session: SessionStore;
  load: () => Promise<Services>;
}

export const PublicServicesContext = createContext<PublicServices | null>(null);

/** For public pages: does not load the clients of the servers. */
export function usePublicServices(): PublicServices {
  const services = use(ServicesContext);
  const publicServices = use(PublicServicesContext);
  const resolved = useMemo<PublicServices | null>(
    () => (services ? { session: services.session, load: async () => services } : publicServices),
    [services, publicServices],
  );
  if (resolved === null) throw new Error('PublicServicesContext is missing above this component.');
  return resolved;
}

export function useSession(): SessionState {
  const { session } = usePublicServices();
  return useSyncExternalStore(session.subscribe, session.get, renderedBeforehand);
}

/** Empty if no user is signed in. */
export function useUserId(): string {
  const session = useSession();
  return session.status === 'signed-in' ? session.user.id : '';
}

const loading: SessionState = { status: 'loading' };
const renderedBeforehand = () => loading;
