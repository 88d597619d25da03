import { QueryClient, hashKey, notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/**
 * Failed queries are not retried, and nothing is refetched on window focus. Calls are made even if the browser reports
 * that it is offline: the server may be on this machine, and a failed call shows an error where a paused one does not.
 */
export function createQueryClient(): QueryClient {
  const networkMode = 'always';
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode },
      mutations: { retry: false, networkMode },
    },
  });
}

/** Current query data of a key; neither fetches nor keeps it in the cache. */
export function useQueryData<Data>(key: QueryKey): Data | undefined {
  const cache = useQueryClient().getQueryCache();
  // By its hash, as this is asked at every change of any query: a search through all of them takes milliseconds.
  const hash = hashKey(key);
  return useSyncExternalStore(
    (changed) => cache.subscribe(notifyManager.batchCalls(changed)),
    () => cache.get<Data>(hash)?.state.data,
    () => undefined,
  );
}
