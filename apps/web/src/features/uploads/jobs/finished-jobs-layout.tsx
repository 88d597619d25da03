import { lazy, Suspense, use } from 'react';
import { Outlet } from 'react-router';
import { useQueryData } from '@/lib/query-client.ts';
import { ServicesContext, useSession } from '@/lib/services.ts';
import { ownFilesKey } from '../user-files.ts';

const FinishedJobs = lazy(async () => ({ default: (await import('./finished-jobs.tsx')).FinishedJobs }));

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

/** Loads the code for jobs only once a page has listed the user's jobs; before that, there are no jobs to watch. */
function OnceListed({ userId }: { userId: string }) {
  if (useQueryData(ownFilesKey(userId)) === undefined) return null;
  return (
    <Suspense>
      <FinishedJobs userId={userId} />
    </Suspense>
  );
}

export { FinishedJobsLayout as Component };
