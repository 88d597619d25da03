import { use } from 'react';
import { Outlet } from 'react-router';
import { useFinishedJobs } from '@/features/uploads/jobs/use-finished-jobs.ts';
import { useJobsUnderWay } from '@/features/uploads/jobs/use-own-files.ts';
import { ServicesContext, useSession } from '@/lib/services.ts';

/** Pages of the tool: on whichever of them one is, the end of one's jobs is told. */
export function Component() {
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
