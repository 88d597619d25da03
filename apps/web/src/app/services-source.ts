import { createContext } from 'react';
import type { PublicServices, Services } from '@/lib/services.ts';
import { createVisitorSession } from '@/lib/visitor-session.ts';

/** Loads and starts the services on first use; a failed start is retried by the next caller. */
export interface ServicesSource {
  start: () => Promise<Services>;
  public: PublicServices & { begin: () => void };
}

export const ServicesSourceContext = createContext<ServicesSource | null>(null);

export function createServicesSource(
  load: () => Promise<Services> = async () => (await import('./start-services.ts')).startServices(),
): ServicesSource {
  let started: Promise<Services> | null = null;
  const start = () => {
    started ??= load().then(
      (services) => {
        session.follow(services.session);
        return services;
      },
      (error: unknown) => {
        started = null;
        throw error;
      },
    );
    return started;
  };
  const session = createVisitorSession(start);
  return { start, public: { session, load: start, begin: session.begin } };
}
