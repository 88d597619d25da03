import type { Job, UserFileList } from '@cellfolio/contract';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useNow } from '@/lib/use-time.ts';
import {
  failureWords,
  useCancelJob,
  useStartAgain,
  useStartBuild,
  useStartConversion,
  useStartInspection,
} from './job-calls.ts';
import { JobRow } from './job-row.tsx';
import { jobStage, jobTitle } from './job-text.ts';
import { isActive, useOwnFiles } from './own-files.ts';
import { canStartAgain, isOrder } from './start-again.ts';
import { NotifyButton } from './notify-finished.tsx';

const endedShown = 5;
const minute = 60_000;

export function JobsCard({ userId, allowed }: { userId: string; allowed: boolean }) {
  const { data, isPending } = useOwnFiles(userId);
  const news = useJobNews(data?.jobs);
  return (
    <Card aria-labelledby="jobs">
      <CardHeader>
        <CardTitle id="jobs">Jobs</CardTitle>
      </CardHeader>
      <CardContent>
        <p role="status" className="sr-only">
          {news}
        </p>
        {data !== undefined ? (
          <JobList userId={userId} own={data} allowed={allowed} />
        ) : isPending ? (
          <div role="status" aria-label="Loading your jobs">
            <Skeleton className="h-12" />
          </div>
        ) : (
          <p className="text-muted text-[13px]">Jobs could not be loaded.</p>
        )}
      </CardContent>
    </Card>
  );
}

function JobList({ userId, own, allowed }: { userId: string; own: UserFileList; allowed: boolean }) {
  const now = useNow(minute);
  const [all, setAll] = useState(false);
  const cancel = useCancelJob(userId);
  const convert = useStartConversion(userId);
  const build = useStartBuild(userId);
  const inspect = useStartInspection(userId);
  const restart = useStartAgain(userId);
  const active = own.jobs.filter(isActive);
  const ended = own.jobs.filter((job) => !isActive(job) && !isFollowed(job, own.jobs));
  const shown = all ? ended : ended.slice(0, endedShown);
  if (own.jobs.length === 0) {
    return (
      <p className="text-muted text-[13px]">
        No jobs yet. Inspections, downloads, conversions and dataset builds are shown here.
      </p>
    );
  }
  const again = (job: Job) => {
    const onError = (error: Error) => toast.error('Error', { description: failureWords(error) });
    if (isOrder(job)) {
      restart.mutate(job.id);
      return;
    }
    if (job.kind === 'convert') {
      convert.mutate({ file_ids: job.file_ids, file_name: job.name }, { onError });
      return;
    }
    if (job.kind === 'inspect') {
      for (const fileId of job.file_ids) inspect.mutate(fileId);
      return;
    }
    const dataset = own.files.find(({ file_id }) => file_id === job.file_ids[0])?.dataset;
    const choices = dataset ? { columns: dataset.columns, processing: dataset.processing } : {};
    for (const fileId of job.file_ids) build.mutate({ fileId, choices }, { onError });
  };
  return (
    <div className="flex flex-col gap-2">
      {active.length > 0 && <NotifyButton className="self-start" />}
      <ul aria-label="Jobs" className="divide-border divide-y rounded-md border">
        {[...active, ...shown].map((job) => (
          <JobRow
            key={job.id}
            job={job}
            now={Math.max(now, Date.parse(job.created_at))}
            cancelling={cancel.isPending && cancel.variables === job.id}
            onCancel={() => cancel.mutate(job.id)}
            onAgain={canStartAgain(job, own) ? () => again(job) : undefined}
            againDisabled={!allowed || [convert, build, inspect, restart].some(({ isPending }) => isPending)}
          />
        ))}
      </ul>
      {ended.length > endedShown && (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${ended.length} finished`}
        </Button>
      )}
    </div>
  );
}

/** Whether a later inspection of the file replaces this one in the list: there is one for each threshold tried. */
export function isFollowed(job: Job, jobs: readonly Job[]): boolean {
  return (
    job.kind === 'inspect' &&
    jobs.some(
      ({ kind, file_ids, created_at }) =>
        kind === 'inspect' && file_ids[0] === job.file_ids[0] && created_at > job.created_at,
    )
  );
}

/** Job changes since the last poll, for screen readers; empty at first. */
function useJobNews(jobs: readonly Job[] | undefined): string {
  const before = useRef<readonly Job[] | undefined>(undefined);
  const [news, setNews] = useState('');
  useEffect(() => {
    if (jobs === undefined) return;
    const text = before.current === undefined ? '' : jobNews(before.current, jobs);
    before.current = jobs;
    if (text !== '') setNews(text);
  }, [jobs]);
  return news;
}

/** Announces jobs that started or ended between two polls, but not their progress. */
export function jobNews(before: readonly Job[], now: readonly Job[]): string {
  const previousJobs = new Map(before.map((job) => [job.id, job]));
  return now
    .filter((job) => {
      const last = previousJobs.get(job.id);
      return last === undefined || isActive(last) !== isActive(job);
    })
    .map((job) => `${jobTitle(job)}: ${isActive(job) ? 'started' : jobStage(job).toLowerCase()}.`)
    .join(' ');
}
