import type { Job } from '@cellfolio/contract';
import { use, useEffect, useRef } from 'react';
import { Outlet } from 'react-router';
import { ServicesContext, useSession } from '@/lib/services.ts';
import { isActive, useJobsUnderWay } from './own-files.ts';
import { tellFinished } from './tell-finished.tsx';

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

/** Jobs that were told, by their ids: two parts of a page may watch the same one. */
const told = new Set<string>();

/** Tells of jobs that end while another tab is looked at. */
export function useFinishedJobs(jobs: readonly Job[] | undefined): void {
  const before = useRef<ReadonlyMap<string, boolean> | null>(null);
  useEffect(() => {
    if (jobs === undefined) return;
    // Of the first look nothing is news; a short job may begin and end between two looks.
    const wasActive = (id: string) => before.current !== null && (before.current.get(id) ?? true);
    const ended = jobs.filter((job) => !isActive(job) && wasActive(job.id));
    before.current = new Map(jobs.map((job) => [job.id, isActive(job)]));
    for (const job of ended) {
      // Whoever cancelled it knows.
      if (job.state === 'cancelled' || told.has(job.id)) continue;
      told.add(job.id);
      const failed = job.state === 'failed';
      tellFinished({
        title: endedTitle(job),
        text: failed && job.problem !== null ? `${job.name}: ${job.problem.message}` : job.name,
        failed,
        // An inspection leads to the dataset: the end of the one takes the place of the other.
        tag: job.file_ids[0] ?? job.id,
      });
    }
  }, [jobs]);
}

function endedTitle({ kind, state }: Pick<Job, 'kind' | 'state'>): string {
  const failed = state === 'failed';
  switch (kind) {
    case 'inspect':
      return failed ? 'Inspection failed' : 'Inspection done';
    case 'convert':
      return failed ? 'Conversion failed' : 'Conversion done';
    case 'build':
      return failed ? 'Dataset build failed' : 'Dataset ready';
  }
}

export { FinishedJobsLayout as Component };
