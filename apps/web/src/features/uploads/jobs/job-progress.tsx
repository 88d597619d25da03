import type { Job } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { cn } from '@/lib/cn.ts';
import { useUserId } from '@/lib/services.ts';
import { useCancelJob } from './job-calls.ts';
import { jobPercent, jobTitle } from './job-text.ts';

export function JobProgress({ job, className }: { job: Job; className?: string }) {
  const percent = jobPercent(job);
  return (
    <span className={cn('flex items-center gap-2', className)}>
      <Progress aria-label={`Progress of: ${jobTitle(job)}`} value={percent} className="min-w-0" />
      <span aria-hidden className="w-9 shrink-0 text-right text-xs tabular-nums">
        {job.state === 'queued' ? '' : `${percent} %`}
      </span>
    </span>
  );
}

interface StatusLineProps {
  job?: Job | null;
  danger?: boolean;
  children?: ReactNode;
}

/** Occupies its line even while empty, so that a later message moves nothing. */
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

/** Present from the start, so that screen readers announce the lines when they appear. */
export function StatusLines({ lines }: { lines: readonly string[] }) {
  return (
    <div role="status" className="text-muted flex flex-col gap-0.5 text-xs empty:hidden">
      {lines.map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  );
}

export function CancelButton({ job }: { job: Pick<Job, 'id'> }) {
  const cancel = useCancelJob(useUserId());
  return (
    <Button
      variant="secondary"
      size="xs"
      className="self-start"
      disabled={cancel.isPending}
      onClick={() => cancel.mutate(job.id)}
    >
      Cancel
    </Button>
  );
}
