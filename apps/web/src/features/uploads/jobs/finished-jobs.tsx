import type { Job } from '@cellfolio/contract';
import { useEffect, useRef } from 'react';
import { isActive, useJobsUnderWay } from './own-files.ts';
import { notifyFinished } from './notify-finished.tsx';

export function FinishedJobs({ userId }: { userId: string }) {
  useFinishedJobs(useJobsUnderWay(userId));
  return null;
}

/** Ids of jobs already notified of: two parts of a page may watch the same job. */
const notified = new Set<string>();

export function useFinishedJobs(jobs: readonly Job[] | undefined): void {
  const before = useRef<ReadonlyMap<string, boolean> | null>(null);
  useEffect(() => {
    if (jobs === undefined) return;
    // The first poll reports nothing; a short job may start and end between two polls.
    const wasActive = (id: string) => before.current !== null && (before.current.get(id) ?? true);
    const ended = jobs.filter((job) => !isActive(job) && wasActive(job.id));
    before.current = new Map(jobs.map((job) => [job.id, isActive(job)]));
    for (const job of ended) {
      // The user cancelled it.
      if (job.state === 'cancelled' || notified.has(job.id)) continue;
      notified.add(job.id);
      const failed = job.state === 'failed';
      notifyFinished({
        title: endedTitle(job),
        text: failed && job.problem !== null ? `${job.name}: ${job.problem.message}` : job.name,
        failed,
        // One tag per file: the end of the build replaces that of the inspection.
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
    case 'download':
      return failed ? 'Download failed' : 'Download done';
    case 'combine':
      return failed ? 'Combining samples failed' : 'Samples combined';
    case 'subset':
      return failed ? 'Extracting cells failed' : 'Cells extracted';
    case 'copy':
      return failed ? 'Copying failed' : 'File copied';
    case 'cellxgene':
      return failed ? 'Writing the CELLxGENE file failed' : 'CELLxGENE file written';
  }
}
