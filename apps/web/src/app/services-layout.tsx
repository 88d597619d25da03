import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, use, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import type { Services } from '@/lib/services.ts';
import { ServicesContext } from '@/lib/services.ts';
import { ServicesSourceContext } from './services-source.ts';
import { StartFailed } from './start-failed.tsx';

/** One for as long as the tab lives. */
const queryClient = createQueryClient();

/**
 * Pages of the tool. They are there before the services have started, without them (see when-started.tsx). Where
 * services are given from above, those count.
 */
export function Component() {
  const given = use(ServicesContext);
  const source = use(ServicesSourceContext);
  return given !== null || source === null ? <WithNotices /> : <Start start={source.start} />;
}

function Start({ start }: { start: () => Promise<Services> }) {
  const [started, setStarted] = useState<Services | 'failed' | null>(null);
  useEffect(() => {
    let gone = false;
    const take = (services: Services) => startTransition(() => setStarted(services));
    start().then(
      // In slices: the page is there and can be used meanwhile.
      (services) => gone || take(services),
      (error: unknown) => {
        console.error(error);
        if (!gone) setStarted('failed');
      },
    );
    return () => {
      gone = true;
    };
  }, [start]);
  if (started === 'failed') return <StartFailed />;
  return (
    <ServicesContext value={started}>
      <QueryClientProvider client={queryClient}>
        <WithNotices />
      </QueryClientProvider>
    </ServicesContext>
  );
}

/** These pages tell in their own words why the link that opened them failed, and what to do. */
const tellThemselves = /^\/(auth|dataset-selector)(\/|$)/;

/** Whose failed link was told: a failure is told once, on the page that it opened. */
const told = new WeakSet<Services>();

function WithNotices() {
  const services = use(ServicesContext);
  const { pathname } = useLocation();
  useEffect(() => {
    if (services === null || services.linkError === null || told.has(services)) return;
    told.add(services);
    if (tellThemselves.test(pathname)) return;
    toast.error('Error', { id: 'link-error', description: services.linkError });
  }, [services, pathname]);
  return <Outlet />;
}
