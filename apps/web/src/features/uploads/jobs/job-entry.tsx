import type { Job } from '@cellfolio/contract';
import { CancelButton, JobProgress } from './job-progress.tsx';
import { jobStage } from './job-text.ts';
import { isActive } from './own-files.ts';

export function JobEntry({ job }: { job: Job }) {
  return (
    <li className="flex flex-col gap-1 px-2.5 py-2">
      <span className="font-medium wrap-anywhere">{job.name}</span>
      {isActive(job) ? (
        <RunningJob job={job} />
      ) : (
        <span className="text-danger text-xs wrap-anywhere">{job.problem?.message ?? 'It failed.'}</span>
      )}
    </li>
  );
}

export function RunningJob({ job }: { job: Job }) {
  return (
    <>
      <span role="status" className="text-muted text-xs">
        {jobStage(job)}
      </span>
      <JobProgress job={job} className="text-muted" />
      <CancelButton job={job} />
    </>
  );
}
