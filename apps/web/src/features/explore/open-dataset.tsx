import type { DatasetAnalysis, DatasetNotReady } from '@cellfolio/contract';
import { datasetAnalysis, datasetNotReady } from '@cellfolio/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { ActiveSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';

export interface CustomFile {
  id: string;
  name: string;
}

export const customDisease = 'Custom Data';

export function customDataset({ id }: CustomFile): string {
  return `custom:${id}`;
}

/** The upload that a URL names: by its own parameters, or as a dataset that was opened before. */
export function readCustomFile(params: URLSearchParams): CustomFile | null {
  const id = params.get('customFileId') ?? /^custom:(.+)$/.exec(params.get('dataset') ?? '')?.[1] ?? '';
  return id === '' ? null : { id, name: params.get('customFileName') ?? '' };
}

type Opening = { analysis: DatasetAnalysis; notReady: null } | { analysis: null; notReady: DatasetNotReady };

const pollMs = 1000;
// While its job is watched, which says when it is worth asking again.
const watchedPollMs = 15_000;

/** Opens a dataset on the server, as the active one of this tab, and describes it. @throws {CallFailed} */
async function openDataset(api: ApiClient, filename: string, signal?: AbortSignal): Promise<DatasetAnalysis> {
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
 * Never cached: returning to a dataset must open it again, or plots would be drawn from the one opened in between.
 */
function datasetAnalysisQuery(api: ApiClient, filename: string) {
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

/**
 * Reopens a dataset that the server has closed, and applies the active subset again; the page keeps its state. All
 * cells become active when the subset does not apply to the current version, such as cells selected on the previous
 * one. `shown` is the dataset as the page shows it. Resolves to whether that worked, once the page shows the reopened
 * dataset; a failure shows a notice.
 */
export function useReopenDataset(filename: string, shown: DatasetAnalysis, activeSubset: ActiveSubset) {
  const { api } = useServices();
  const client = useQueryClient();
  const latest = useRef(shown);
  const onShown = useRef(() => {});
  useEffect(() => {
    latest.current = shown;
    onShown.current();
  }, [shown]);
  const failed = (text: string, error: unknown): false => {
    toast.error('Error', { id: notReopened, description: <FailureNotice text={text} error={error} /> });
    return false;
  };
  return async (): Promise<boolean> => {
    try {
      // Not through the query: a refusal must not unmount the page with its input.
      const opened = await openDataset(api, filename);
      const { queryKey } = datasetAnalysisQuery(api, filename);
      const analysis = client.setQueryData(queryKey, { analysis: opened, notReady: null })?.analysis;
      // What follows is asked by the page, of the version that it shows; the same dataset is not shown anew.
      if (analysis !== latest.current) {
        await new Promise<void>((resolve) => {
          onShown.current = resolve;
        });
      }
    } catch (error) {
      return failed('The dataset could not be opened again.', error);
    }
    const { group } = activeSubset.active;
    try {
      await activeSubset.apply(group);
      toast.dismiss(notReopened);
      return true;
    } catch (error) {
      if (group === null) return failed('The dataset could not be opened again.', error);
      await activeSubset
        .apply(null)
        .catch((again: unknown) => console.warn('All cells could not be activated.', again));
      return failed(`${group.name} was not applied to the opened dataset: all cells are active.`, error);
    }
  };
}

const notReopened = 'dataset-not-reopened';

function notReadyOf(error: unknown): DatasetNotReady | undefined {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.code === 'dataset_not_ready'
    ? datasetNotReady.safeParse(cause.details).data
    : undefined;
}
