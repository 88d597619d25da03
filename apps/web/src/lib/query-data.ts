import { hashKey, notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** What the query of a key has now; asks for nothing, and keeps nothing. */
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
