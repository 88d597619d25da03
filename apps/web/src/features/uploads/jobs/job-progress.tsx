import type { Job } from '@cellfolio/contract';
import { Progress } from '@/components/ui/progress.tsx';
import { cn } from '@/lib/cn.ts';
import { jobPercent, jobTitle } from './job-text.ts';

interface JobProgressProps {
  job: Job;
  className?: string;
}

/** A bar and its percents; the bar only moves while a job waits. */
export function JobProgress({ job, className }: JobProgressProps) {
  const percent = jobPercent(job);
  return (
    <span className={cn('flex items-center gap-2', className)}>
      <Progress
        aria-label={`Progress of: ${jobTitle(job)}`}
        value={job.state === 'queued' ? null : percent}
        className="min-w-0"
      />
      <span aria-hidden className="w-9 shrink-0 text-right text-xs tabular-nums">
        {job.state === 'queued' ? '' : `${percent} %`}
      </span>
    </span>
  );
}
