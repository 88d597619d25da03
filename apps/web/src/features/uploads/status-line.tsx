import type { Job } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { JobProgress } from './jobs/job-progress.tsx';
import { cn } from '@/lib/cn.ts';

interface StatusLineProps {
  /** Its progress stands beside the words. */
  job?: Job | null;
  danger?: boolean;
  children?: ReactNode;
}

/** One line that is there from the beginning, so that what it comes to say moves nothing. */
export function StatusLine({ job = null, danger = false, children }: StatusLineProps) {
  return (
    <div
      className={cn(
        'flex min-h-5 flex-wrap items-center gap-x-3 text-xs leading-5 tabular-nums',
        danger && 'text-danger',
      )}
    >
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {job !== null && <JobProgress job={job} className="text-muted w-40" />}
    </div>
  );
}
