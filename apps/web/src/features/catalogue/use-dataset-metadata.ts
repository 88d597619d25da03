import { datasetMetadata } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { CallFailed } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';

const sevenDays = 7 * 24 * 60 * 60 * 1000;

export const datasetMetadataKey = ['dataset-metadata'] as const;

/** The catalogue: disease, then sub-disease, then datasets. Kept, and taken as fresh, for seven days. */
export function datasetMetadataQuery(api: ApiClient) {
  return queryOptions({
    queryKey: datasetMetadataKey,
    queryFn: async ({ signal }) => {
      try {
        return await api({ path: '/api/dataset_metadata', answer: datasetMetadata, signal });
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new CallFailed('Failed to fetch dataset metadata', cause);
      }
    },
    staleTime: sevenDays,
    gcTime: sevenDays,
  });
}

export function useDatasetMetadata() {
  const { api } = useServices();
  return useQuery(datasetMetadataQuery(api));
}
