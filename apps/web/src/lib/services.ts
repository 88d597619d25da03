import type { PublicConfig } from '@cellfolio/contract';
import type { AuthClient as SupabaseAuthClient } from '@supabase/auth-js';
import { createContext, use, useMemo, useSyncExternalStore } from 'react';
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

/** What a public page has at once; everything else is loaded when it is first needed. */
export interface PublicServices {
  session: SessionStore;
  /** The whole of the services; rejects when the server does not give its settings. */
  load: () => Promise<Services>;
}

export const PublicServicesContext = createContext<PublicServices | null>(null);

/** For pages that are read before anybody signs in: does not make them load the clients of the servers. */
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

const loading: SessionState = { status: 'loading' };
/** A page that was rendered before it was asked for was rendered for nobody in particular. */
const renderedBeforehand = () => loading;
