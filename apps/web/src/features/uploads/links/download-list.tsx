import type { Job } from '@cellfolio/contract';
import { X } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { useNow } from '@/lib/use-time.ts';
import { useCancelJob } from '../jobs/job-calls.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { jobStage } from '../jobs/job-text.ts';
import { isActive, useOwnFiles } from '../jobs/own-files.ts';

/** Milliseconds for which a download without a result is listed here; it stays among the finished jobs. */
const shownForMs = 15 * 60_000;

export function DownloadList({ userId }: { userId: string }) {
  const { data } = useOwnFiles(userId);
  const cancel = useCancelJob(userId);
  const now = useNow(60_000);
  const downloads = (data?.jobs ?? []).filter(({ kind }) => kind === 'download');
  const shown = downloads.filter((job) => isActive(job) || isRecentFailure(job, downloads, now));
  // A user's downloads go one after the other.
  const waitsForAnother = (job: Job) =>
    job.state === 'queued' && downloads.some(({ state }) => state === 'running');
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Downloads" className="divide-border divide-y rounded-md border">
      {shown.map((job) => (
        <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[13px]">
          <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={job.name}>
            {job.name}
          </span>
          <span
            className={job.state === 'failed' ? 'text-danger text-xs wrap-anywhere' : 'text-muted text-xs'}
          >
            {job.problem?.message ??
              (waitsForAnother(job) ? 'Waiting for the other download' : jobStage(job))}
          </span>
          {isActive(job) && (
            <>
              <JobProgress job={job} className="text-muted w-40" />
              <Button
                variant="ghost"
                size="xs"
                aria-label={`Cancel the download of ${job.name}`}
                disabled={cancel.isPending && cancel.variables === job.id}
                onClick={() => cancel.mutate(job.id)}
              >
                <X aria-hidden />
                Cancel
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function isRecentFailure(job: Job, downloads: readonly Job[], now: number): boolean {
  if (job.state === 'done' || now - Date.parse(job.finished_at ?? '') > shownForMs) return false;
  return !downloads.some(
    ({ name, created_at: at }) => name === job.name && Date.parse(at) > Date.parse(job.created_at),
  );
}
