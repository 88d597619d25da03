import { use } from 'react';
import { Outlet } from 'react-router';
import { useFinishedJobs } from './use-finished-jobs.ts';
import { useJobsUnderWay } from './use-own-files.ts';
import { ServicesContext, useSession } from '@/lib/services.ts';

/** Pages of the tool: on whichever of them one is, the end of one's jobs is told. */
function FinishedJobsLayout() {
  const session = useSession();
  const started = use(ServicesContext) !== null;
  const userId = started && session.status === 'signed-in' ? session.user.id : null;
  return (
    <>
      {userId !== null && <FinishedJobs key={userId} userId={userId} />}
      <Outlet />
    </>
  );
}

function FinishedJobs({ userId }: { userId: string }) {
  useFinishedJobs(useJobsUnderWay(userId));
  return null;
}

export { FinishedJobsLayout as Component };
