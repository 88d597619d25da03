import { hashKey, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, use, useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { ServicesContext, useSession } from '@/lib/services.ts';
import { ownFilesKey } from '../user-files.ts';

const FinishedJobs = lazy(async () => ({ default: (await import('./finished-jobs.tsx')).FinishedJobs }));

/** Notifies the user of finished jobs on every page of the tool. */
function FinishedJobsLayout() {
  const session = useSession();
  const started = use(ServicesContext) !== null;
  const userId = started && session.status === 'signed-in' ? session.user.id : null;
  return (
    <>
      {userId !== null && <OnceListed key={userId} userId={userId} />}
      <Outlet />
    </>
  );
}

/** Until a page has listed the user's jobs none is known of, and the code for them is not loaded. */
function OnceListed({ userId }: { userId: string }) {
  const queries = useQueryClient().getQueryCache();
  // Asked at every change of any query: a search through all of them would cost a gene 20 ms.
  const files = hashKey(ownFilesKey(userId));
  const listed = useSyncExternalStore(
    (changed) => queries.subscribe(changed),
    () => queries.get(files)?.state.data !== undefined,
    () => false,
  );
  if (!listed) return null;
  return (
    <Suspense>
      <FinishedJobs userId={userId} />
    </Suspense>
  );
}

export { FinishedJobsLayout as Component };
