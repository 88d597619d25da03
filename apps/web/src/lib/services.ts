import type { PublicConfig } from '@cellfolio/contract';
import type { AuthClient as SupabaseAuthClient } from '@supabase/auth-js';
import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import type { ApiClient } from './api-client.ts';
import type { Backend } from './backend.ts';
import type { SessionState, SessionStore } from './session-store.ts';

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

/** The clients of the pages; tests pass fakes. */
export interface Services extends Backend {
  config: PublicConfig;
  api: ApiClient;
  auth: AuthClient;
  /** The client for other sign-in providers; see `provider-auth.ts`. */
  providerAuth: () => AuthClient;
  session: SessionStore;
  /** Why the link that opened the page failed; `null` if it did not. */
  linkError: string | null;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === null) throw new Error('ServicesContext is missing above this component.');
  return services;
}

/** The services of a public page; the others are loaded on first use. */
export interface PublicServices {
  session: SessionStore;
  /** All services; rejects if the settings cannot be loaded. */
  load: () => Promise<Services>;
}

export const PublicServicesContext = createContext<PublicServices | null>(null);

/** For public pages: does not load the clients of the servers. */
export function usePublicServices(): PublicServices {
  const services = use(ServicesContext);
  const given = use(PublicServicesContext);
  const found = useMemo<PublicServices | null>(
    () => (services ? { session: services.session, load: async () => services } : given),
    [services, given],
  );
  if (found === null) throw new Error('PublicServicesContext is missing above this component.');
  return found;
}

/** Who is signed in, on public pages and in the tool alike. */
export function useSession(): SessionState {
  const { session } = usePublicServices();
  return useSyncExternalStore(session.subscribe, session.get, renderedBeforehand);
}

/** The id of who is signed in; empty where nobody is. */
export function useUserId(): string {
  const session = useSession();
  return session.status === 'signed-in' ? session.user.id : '';
}

const loading: SessionState = { status: 'loading' };
/** The session in prerendered pages. */
const renderedBeforehand = () => loading;
