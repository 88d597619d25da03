import type { DatasetNotReady } from '@cellfolio/contract';
import { jobAnswer } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, FlaskConical } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { ExplorerNotice } from '@/components/explorer-notice.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { isActive, JobProgress, jobStage, NotifyButton, useFinishedJobs } from '@/features/uploads/index.ts';
import { useServices } from '@/lib/services.ts';

const pollMs = 1000;
const lostPollMs = 5000;

interface PreparingDatasetProps {
  name: string;
  notReady: DatasetNotReady;
  openAgain: () => void;
}

export function PreparingDataset({ name, notReady, openAgain }: PreparingDatasetProps) {
  const { state, problem, job_id: jobId } = notReady;
  const { job, isLost } = useJob(state === 'failed' ? null : jobId);
  const active = job !== undefined && isActive(job);
  const ended = job !== undefined && !active;
  const again = useRef(openAgain);
  useEffect(() => {
    again.current = openAgain;
  });
  useEffect(() => {
    if (!ended && !isLost) return;
    if (ended) again.current();
    // The result may take a moment, or another job follows.
    const timer = setInterval(() => again.current(), ended ? pollMs : lostPollMs);
    return () => clearInterval(timer);
  }, [ended, isLost]);

  if (state === 'failed') {
    return (
      <ExplorerNotice
        role="alert"
        icon={<CircleAlert aria-hidden className="text-danger" />}
        title={problem?.code === 'waits_for_owner' ? 'Waiting for Your Review' : 'Dataset Loading Failed'}
        text={
          <>
            <p className="wrap-anywhere">There is no dataset of {name} to explore.</p>
            <p className="mt-2 text-[13px] wrap-anywhere">
              {problem?.message ?? 'The log of its job on the page Upload Data says why.'}
            </p>
          </>
        }
      >
        <Button asChild>
          <Link to="/upload-data">Upload Data</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/dataset-selector">Select Different Dataset</Link>
        </Button>
      </ExplorerNotice>
    );
  }
  return (
    <ExplorerNotice
      icon={<FlaskConical aria-hidden />}
      title="Preparing Dataset"
      text={<p className="wrap-anywhere">{name} opens here as soon as it is ready.</p>}
      below={
        <div className="flex w-80 max-w-full flex-col gap-1.5">
          {active ? (
            <JobProgress job={job} className="text-muted" />
          ) : (
            <Progress aria-label={`Progress of: ${name}`} value={null} className="my-1.25" />
          )}
          <p role="status" className="text-muted text-[13px]">
            {active ? jobStage(job) : 'Queued'}
          </p>
          {active && <NotifyButton className="self-center" />}
        </div>
      }
    >
      <Button asChild variant="secondary">
        <Link to="/upload-data">Upload Data</Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/dataset-selector">Select Different Dataset</Link>
      </Button>
    </ExplorerNotice>
  );
}

/** The current job; undefined until loaded. Lost when the server does not return it. */
function useJob(jobId: string | null) {
  const { api } = useServices();
  const { data, isError } = useQuery({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) =>
      api({ path: `/api/jobs/${encodeURIComponent(jobId ?? '')}`, answer: jobAnswer, signal }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return lostPollMs;
      return state.data && isActive(state.data.job) ? pollMs : false;
    },
    // Polls in the background too, for the notification of its end.
    refetchIntervalInBackground: true,
  });
  const jobs = useMemo(() => data && [data.job], [data]);
  useFinishedJobs(jobs);
  return { job: data?.job, isLost: isError };
}
