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

const previewName = 'Preview';

/** Filter request of the completed parts of a form; `undefined` without one. */
export function previewRequest(config: FilterConfig): FilterRequest | undefined {
  const complete = config.activeFilterTypes.filter((type) => partProblem(type, config) === undefined);
  if (complete.length === 0) return undefined;
  const { kept: _, ...filters } = config;
  return filterPayload(previewName, { ...filters, activeFilterTypes: complete });
}

export interface Preview {
  /** Result for the previous filters while newer ones are counted; `undefined` before the first count. */
  answer: FilterPreview | undefined;
  counted: FilterRequest | undefined;
  counting: boolean;
  error: Error | null;
  retry: () => void;
  /** Counts the current filters of the form. Throws CallFailed. */
  now: () => Promise<FilterPreview>;
}

/**
 * Counts the effect of a form's filters, debounced; an outdated count is cancelled. `null` without a filter. `opened`
 * identifies the open dataset and its version.
 */
export function useFilterPreview(config: FilterConfig, opened: string): Preview | null {
  const { api } = useServices();
  const request = previewRequest(config);
  const requestText = request === undefined ? '' : JSON.stringify(request);
  const settled = useSettled(requestText);
  const enabled = requestText !== '' && settled !== '';
  const client = useQueryClient();
  const query = useQuery({
    ...previewOf(api, opened, settled),
    enabled,
    placeholderData: keepPreviousData,
  });
  if (requestText === '') return null;
  return {
    answer: query.data?.answer,
    counted: query.data?.counted,
    counting: settled !== requestText || query.isFetching,
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
    now: async () => (await client.fetchQuery(previewOf(api, opened, requestText))).answer,
  };
}

/** Counts the cells that filters keep, using the cache for filters already counted. Throws CallFailed. */
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
function previewOf(api: ApiClient, opened: string, wanted: string) {
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
