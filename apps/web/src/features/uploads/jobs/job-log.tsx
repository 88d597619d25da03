import type { Job } from '@cellfolio/contract';

const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** What a job has told of itself, line by line, with the time of this device. */
export function JobLog({ log }: Pick<Job, 'log'>) {
  if (log.length === 0) return <p className="text-muted text-xs">Nothing was written yet.</p>;
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
