import type { Job } from '@cellfolio/contract';
import { Ban, ChevronDown, CircleAlert, CircleCheck, Clock, RotateCcw, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { CollapsibleContent } from '@/components/ui/collapsible.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { relativeTime } from '@/lib/format.ts';
import { JobProgress } from './job-progress.tsx';
import { jobDuration, jobStage, jobTitle } from './job-text.ts';
import { isActive } from './own-files.ts';

interface JobRowProps {
  job: Job;
  now: number;
  cancelling: boolean;
  onCancel: () => void;
  onAgain?: (() => void) | undefined;
  againDisabled: boolean;
}

export function JobRow({ job, now, cancelling, onCancel, onAgain, againDisabled }: JobRowProps) {
  const title = jobTitle(job);
  const active = isActive(job);
  const duration = jobDuration(job);
  // The log of a failure opens by itself, also when the job fails while it is shown.
  const [chosenOpen, setLogOpen] = useState<boolean>();
  const logOpen = chosenOpen ?? job.state === 'failed';
  const lastLine = job.log.at(-1)?.text;
  const logButton = useRef<HTMLButtonElement>(null);
  // The button that was pressed goes with what it does; the focus stays in its row.
  const stayingInRow = (action: () => void) => () => {
    logButton.current?.focus();
    action();
  };
  return (
    <li className="px-3 py-2.5">
      <Collapsible.Root open={logOpen} onOpenChange={setLogOpen} className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
          <StateIcon state={job.state} />
          <div className="flex min-w-0 flex-1 basis-56 flex-col gap-0.5">
            <p className="truncate text-[13px] font-medium" title={title}>
              {title}
            </p>
            <p className={job.state === 'failed' ? 'text-danger text-xs' : 'text-muted text-xs'}>
              {job.problem === null ? (
                jobStage(job)
              ) : (
                <span className="wrap-anywhere">{job.problem.message}</span>
              )}
            </p>
            {!logOpen && lastLine !== undefined && lastLine !== jobStage(job) && (
              <p className="text-muted truncate text-xs" title={lastLine}>
                {lastLine}
              </p>
            )}
            {active && <JobProgress job={job} className="text-muted max-w-md pt-0.5" />}
          </div>
          <p className="text-muted flex gap-x-2 text-xs leading-5 tabular-nums">
            {duration !== null && <span>took {duration}</span>}
            <time dateTime={job.finished_at ?? job.created_at}>
              {relativeTime(Date.parse(job.finished_at ?? job.created_at), now)}
            </time>
          </p>
          <div className="-my-1 ml-auto flex items-center gap-1">
            {onAgain !== undefined && (
              <Button
                variant="ghost"
                size="xs"
                aria-label={`Start again: ${title}`}
                disabled={againDisabled}
                onClick={stayingInRow(onAgain)}
              >
                <RotateCcw aria-hidden />
                Start again
              </Button>
            )}
            {/* A file that was not inspected is of no use, and inspections are short. */}
            {active && job.kind !== 'inspect' && (
              <Button
                variant="ghost"
                size="xs"
                aria-label={`Cancel: ${title}`}
                disabled={cancelling}
                onClick={stayingInRow(onCancel)}
              >
                {cancelling ? <Spinner /> : <X aria-hidden />}
                Cancel
              </Button>
            )}
            <Collapsible.Trigger asChild>
              <Button
                ref={logButton}
                variant="ghost"
                size="xs"
                className="group"
                aria-label={`Log of: ${title}`}
              >
                Log
                <ChevronDown
                  aria-hidden
                  className="text-muted transition-transform duration-150 group-data-[state=open]:rotate-180"
                />
              </Button>
            </Collapsible.Trigger>
          </div>
        </div>
        <CollapsibleContent>
          <JobLog log={job.log} />
        </CollapsibleContent>
      </Collapsible.Root>
    </li>
  );
}

function StateIcon({ state }: Pick<Job, 'state'>) {
  const shape = 'mt-0.5 size-4 shrink-0';
  switch (state) {
    case 'queued':
      return <Clock aria-hidden className={`text-muted ${shape}`} />;
    case 'running':
      return <Spinner className={`text-accent ${shape}`} />;
    case 'done':
      return <CircleCheck aria-hidden className={`text-success ${shape}`} />;
    case 'failed':
      return <CircleAlert aria-hidden className={`text-danger ${shape}`} />;
    case 'cancelled':
      return <Ban aria-hidden className={`text-muted ${shape}`} />;
  }
}

const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function JobLog({ log }: Pick<Job, 'log'>) {
  if (log.length === 0) return <p className="text-muted text-xs">The log is empty.</p>;
  return (
    <ol className="bg-surface-2 flex max-h-48 flex-col gap-0.5 overflow-y-auto rounded-md px-3 py-2 text-xs">
      {log.map(({ at, text }, position) => (
        // Lines are only ever added.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={position} className="flex gap-3">
          <time dateTime={at} className="text-muted shrink-0 tabular-nums">
            {times.format(new Date(at))}
          </time>
          <span className="min-w-0 wrap-anywhere">{text}</span>
        </li>
      ))}
    </ol>
  );
}
