import { QueryClientProvider } from '@tanstack/react-query';
import { use, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import type { Services } from '@/lib/services.ts';
import { ServicesContext } from '@/lib/services.ts';
import { PageLoading } from './page-loading.tsx';
import { ServicesSourceContext } from './services-source.ts';
import { StartFailed } from './start-failed.tsx';
import type { StartedServices } from './start-services.ts';

/** Pages of the tool: they begin when the services have. Where services are given from above, those count. */
export function Component() {
  const given = use(ServicesContext);
  const source = use(ServicesSourceContext);
  return given !== null || source === null ? <WithNotices /> : <Start start={source.start} />;
}

function Start({ start }: { start: () => Promise<StartedServices> }) {
  const [started, setStarted] = useState<StartedServices | 'failed' | null>(null);
  useEffect(() => {
    let gone = false;
    start().then(
      (all) => gone || setStarted(all),
      (error: unknown) => {
        console.error(error);
        if (!gone) setStarted('failed');
      },
    );
    return () => {
      gone = true;
    };
  }, [start]);
  if (started === null) return <PageLoading />;
  if (started === 'failed') return <StartFailed />;
  return (
    <ServicesContext value={started.services}>
      <QueryClientProvider client={started.queryClient}>
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
