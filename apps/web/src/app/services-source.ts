import { createContext } from 'react';
import type { PublicServices } from '@/lib/services.ts';
import { createVisitorSession } from '@/lib/visitor-session.ts';
import type { StartedServices } from './start-services.ts';

/** Loads and starts the services once, when the first page asks; a start that failed is tried again by the next. */
export interface ServicesSource {
  start: () => Promise<StartedServices>;
  public: PublicServices & { begin: () => void };
}

export const ServicesSourceContext = createContext<ServicesSource | null>(null);

export function createServicesSource(
  load: () => Promise<StartedServices> = async () => (await import('./start-services.ts')).startServices(),
): ServicesSource {
  let started: Promise<StartedServices> | null = null;
  const start = () => {
    started ??= load().then(
      (all) => {
        session.follow(all.services.session);
        return all;
      },
      (error: unknown) => {
        started = null;
        throw error;
      },
    );
    return started;
  };
  const session = createVisitorSession(async () => (await start()).services);
  return { start, public: { session, load: async () => (await start()).services, begin: session.begin } };
}
