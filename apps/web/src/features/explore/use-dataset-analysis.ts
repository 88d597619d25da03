import type { DatasetAnalysis, DatasetNotReady } from '@cellfolio/contract';
import { datasetAnalysis } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { CallFailed } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { notReadyOf } from './not-ready.ts';

/** A dataset that is open, or an upload that has none yet. */
export type Opening =
  { analysis: DatasetAnalysis; notReady: null } | { analysis: null; notReady: DatasetNotReady };

const pollMs = 1000;
// While its job is watched, which says when it is worth asking again.
const watchedPollMs = 15_000;

/** Opens a dataset on the server, as the active one of this tab, and describes it. @throws {CallFailed} */
export async function openDataset(
  api: ApiClient,
  filename: string,
  signal?: AbortSignal,
): Promise<DatasetAnalysis> {
  try {
    return await api({
      path: `/api/dataset_analysis/${encodeURIComponent(filename)}`,
      answer: datasetAnalysis,
      signal,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new CallFailed('Failed to fetch dataset analysis', cause);
  }
}

async function tryToOpen(api: ApiClient, filename: string, signal: AbortSignal): Promise<Opening> {
  try {
    return { analysis: await openDataset(api, filename, signal), notReady: null };
  } catch (error) {
    const notReady = notReadyOf(error);
    if (notReady === undefined) throw error;
    return { analysis: null, notReady };
  }
}

function intervalOf(notReady: DatasetNotReady | null | undefined): number | false {
  if (!notReady || notReady.state === 'failed') return false;
  return notReady.job_id === null ? pollMs : watchedPollMs;
}

/**
 * Never answered from the cache: coming back to a dataset must open it again, or plots would be drawn from the one
 * opened in between.
 */
export function datasetAnalysisQuery(api: ApiClient, filename: string) {
  return queryOptions({
    queryKey: ['dataset-analysis', filename],
    queryFn: ({ signal }) => tryToOpen(api, filename, signal),
    staleTime: Infinity,
    gcTime: 0,
    // An upload is opened as soon as its dataset is there.
    refetchInterval: ({ state }) => intervalOf(state.data?.notReady),
  });
}

export function useDatasetAnalysis(filename: string) {
  const { api } = useServices();
  return useQuery(datasetAnalysisQuery(api, filename));
}
