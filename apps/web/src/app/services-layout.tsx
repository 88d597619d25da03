import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { startTransition, use, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { createQueryClient, resetForNextUser } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';
import { ServicesSourceContext } from './services-source.ts';

const queryClient = createQueryClient();

/**
 * Pages of the tool. They render before the services have started (see components/when-started.tsx). Services from a
 * parent context are used instead.
 */
function ServicesLayout() {
  const parentServices = use(ServicesContext);
  const source = use(ServicesSourceContext);
  return parentServices !== null || source === null ? <WithNotices /> : <Start start={source.start} />;
}

function Start({ start }: { start: () => Promise<Services> }) {
  const [started, setStarted] = useState<Services | 'failed' | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const take = (services: Services) => startTransition(() => setStarted(services));
    start().then(
      // In a transition, so that the page stays responsive.
      (services) => isUnmounted || take(services),
      (error: unknown) => {
        console.error(error);
        if (!isUnmounted) setStarted('failed');
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [start]);
  useEffect(() => {
    if (started === null || started === 'failed') return undefined;
    return resetForNextUser(queryClient, started.session);
  }, [started]);
  if (started === 'failed') return <StartFailed />;
  return (
    <ServicesContext value={started}>
      <QueryClientProvider client={queryClient}>
        <WithNotices />
      </QueryClientProvider>
    </ServicesContext>
  );
}

/** These pages report a failed link themselves. */
const reportThemselves = /^\/(auth|dataset-selector)(\/|$)/;

/** Services whose failed link was reported: once, on the page that it opened. */
const reported = new WeakSet<Services>();

function WithNotices() {
  const services = use(ServicesContext);
  const { pathname } = useLocation();
  useEffect(() => {
    if (services === null || services.linkError === null || reported.has(services)) return;
    reported.add(services);
    if (reportThemselves.test(pathname)) return;
    toast.error('Error', { id: 'link-error', description: services.linkError });
  }, [services, pathname]);
  return <Outlet />;
}

function StartFailed() {
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6"
    >
      <h1 className="text-xl font-semibold">Cellfolio could not start</h1>
      <p className="text-muted">
        The server did not send its settings. It may be starting or stopped; nothing on this device has
        changed.
      </p>
      <Button onClick={() => location.reload()}>Try again</Button>
    </main>
  );
}

export { ServicesLayout as Component };
