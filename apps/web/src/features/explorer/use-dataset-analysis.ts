import type { DatasetAnalysis } from '@cellfolio/contract';
import { datasetAnalysis } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { CallFailed } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { isPreparing } from './not-ready.ts';

const pollMs = 1000;

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

/**
 * Never answered from the cache: coming back to a dataset must open it again, or plots would be drawn from the one
 * opened in between.
 */
export function datasetAnalysisQuery(api: ApiClient, filename: string) {
  return queryOptions({
    queryKey: ['dataset-analysis', filename],
    queryFn: ({ signal }) => openDataset(api, filename, signal),
    staleTime: Infinity,
    gcTime: 0,
    // An upload is opened as soon as its dataset is there.
    refetchInterval: ({ state }) => (isPreparing(state.error) ? pollMs : false),
  });
}

export function useDatasetAnalysis(filename: string) {
  const { api } = useServices();
  return useQuery(datasetAnalysisQuery(api, filename));
}
