import { X } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { useCancelJob } from '../jobs/job-calls.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { jobStage } from '../jobs/job-text.ts';
import { isActive, useOwnFiles } from '../jobs/own-files.ts';

/** Downloads under way. */
export function DownloadList({ userId }: { userId: string }) {
  const { data } = useOwnFiles(userId);
  const cancel = useCancelJob(userId);
  const active = (data?.jobs ?? []).filter((job) => job.kind === 'download' && isActive(job));
  if (active.length === 0) return null;
  return (
    <ul aria-label="Downloads" className="divide-border divide-y rounded-md border">
      {active.map((job) => (
        <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[13px]">
          <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={job.name}>
            {job.name}
          </span>
          <span className="text-muted text-xs">{jobStage(job)}</span>
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
        </li>
      ))}
    </ul>
  );
}
