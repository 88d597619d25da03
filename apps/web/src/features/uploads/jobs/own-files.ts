import { userFileList } from '@cellfolio/contract';
import type { Job, UserFileList } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { ownFilesKey } from '../user-files.ts';

const soonMs = 1000;
const laterMs = 5000;
// An inspection that has ended may be followed by a build that is not listed yet.
const settlesMs = 10_000;

/**
 * The user's files and the jobs on them. Polled every second while a job runs, less often while the tab is hidden; the
 * last response stays if the server does not respond.
 */
export function useOwnFiles(userId: string, { enabled = true } = {}) {
  const { api } = useServices();
  return useQuery({ ...ownFilesQuery(api, userId), enabled });
}

/** Quota in bytes; `null` if unknown. Other changes cause no rerender. */
export function useQuota(userId: string): number | null {
  const { api } = useServices();
  const { data } = useQuery({ ...ownFilesQuery(api, userId), select: ({ quota_bytes }) => quota_bytes });
  return data ?? null;
}

export function useMaxFiles(userId: string): number | null {
  const { api } = useServices();
  const { data } = useQuery({ ...ownFilesQuery(api, userId), select: ({ most_files }) => most_files });
  return data ?? null;
}

/** Watches the user's jobs on any page while this tab knows of active ones; otherwise sends no requests. */
export function useJobsUnderWay(userId: string): readonly Job[] | undefined {
  const { api } = useServices();
  const { data } = useQuery({
    ...ownFilesQuery(api, userId),
    enabled: ({ state: { data: own } }) => pollInterval(own, null, Date.now()) !== false,
    select: ({ jobs }) => jobs,
  });
  return data;
}

function ownFilesQuery(api: ApiClient, userId: string) {
  return queryOptions({
    queryKey: ownFilesKey(userId),
    queryFn: ({ signal }) => api({ path: '/api/own-files', answer: userFileList, signal }),
    refetchInterval: ({ state: { data, error } }) => {
      const interval = pollInterval(data, error, Date.now());
      return interval !== false && document.hidden ? laterMs : interval;
    },
    // Polls in the background too, for the notification of a job's end.
    refetchIntervalInBackground: true,
  });
}

/** Milliseconds until the next poll; `false` if nothing can change by itself. */
export function pollInterval(
  data: UserFileList | undefined,
  error: Error | null,
  now: number,
): number | false {
  if (error !== null) {
    // A refusal would be repeated; an unavailable server may come back.
    return error instanceof ApiRefusal && error.status < 500 ? false : laterMs;
  }
  if (data === undefined) return false;
  const underWay =
    data.jobs.some((job) => isActive(job) || endedAt(job) > now - settlesMs) ||
    data.files.some(({ report, problem }) => report === null && problem === null);
  return underWay ? soonMs : false;
}

export function isActive({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

function endedAt({ finished_at }: Job): number {
  return finished_at === null ? 0 : Date.parse(finished_at);
}
