import type { FilterPreview, FilterRequest } from '@cellfolio/contract';
import { filterPreview } from '@cellfolio/contract';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { callFailure } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';
import type { FilterConfig } from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';
import { partProblem } from './filter-payload.ts';

/** No name of a subset: the count does not depend on it. */
const previewName = 'Preview';

/** The parts of a form that are filled in, as a filter request; `undefined` where none is. */
export function previewRequest(config: FilterConfig): FilterRequest | undefined {
  const complete = config.activeFilterTypes.filter((type) => partProblem(type, config) === undefined);
  if (complete.length === 0) return undefined;
  const { kept: _, ...filters } = config;
  return filterPayload(previewName, { ...filters, activeFilterTypes: complete });
}

/** What a form's filters would keep, as far as that is known. */
export interface Preview {
  /** Of the filters as they were before, while newer ones are counted; `undefined` before the first count. */
  answer: FilterPreview | undefined;
  /** The filters that the answer is about. */
  counted: FilterRequest | undefined;
  counting: boolean;
  error: Error | null;
  retry: () => void;
  /** What the filters of the form keep as they are now. @throws {CallFailed} */
  now: () => Promise<FilterPreview>;
}

/**
 * Counts what the filters of a form would keep, debounced; an outdated count is cancelled. `null` without a filter.
 * @param opened names the open dataset and its version
 */
export function useFilterPreview(config: FilterConfig, opened: string): Preview | null {
  const { api } = useServices();
  const request = previewRequest(config);
  const wanted = request === undefined ? '' : JSON.stringify(request);
  const settled = useSettled(wanted);
  const enabled = wanted !== '' && settled !== '';
  const client = useQueryClient();
  const query = useQuery({
    ...previewOf(api, opened, settled),
    enabled,
    placeholderData: keepPreviousData,
  });
  if (wanted === '') return null;
  return {
    answer: query.data?.answer,
    counted: query.data?.counted,
    counting: settled !== wanted || query.isFetching,
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
    now: async () => (await client.fetchQuery(previewOf(api, opened, wanted))).answer,
  };
}

/** Counts the cells that filters keep, once for what is counted already. @throws {CallFailed} */
export function useCountCells(opened: string): (config: FilterConfig) => Promise<FilterPreview> {
  const { api } = useServices();
  const client = useQueryClient();
  return async (config) => {
    const request = previewRequest(config);
    if (request === undefined) throw new TypeError('No filter is filled in.');
    const { answer } = await client.fetchQuery(previewOf(api, opened, JSON.stringify(request)));
    return answer;
  };
}

/** Counts what a filter keeps. @param wanted the request, as text */
export function previewOf(api: ApiClient, opened: string, wanted: string) {
  return queryOptions({
    queryKey: ['filter-preview', opened, wanted],
    staleTime: 5 * 60_000,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<{ answer: FilterPreview; counted: FilterRequest }> => {
      const request = JSON.parse(wanted) as FilterRequest;
      try {
        const answer = await api({
          path: '/api/preview-filter',
          body: request,
          answer: filterPreview,
          signal,
        });
        return { answer, counted: request };
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw callFailure('Failed to count the cells of the filter', cause);
      }
    },
  });
}
