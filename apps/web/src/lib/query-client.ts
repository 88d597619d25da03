import { QueryClient, hashKey, notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { SessionStore } from './session-store.ts';

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

/** Drops all answers, and refetches those in use, when another user signs in; returns how to end that. */
export function resetForNextUser(client: QueryClient, session: SessionStore): () => void {
  const userOf = () => {
    const state = session.get();
    return state.status === 'signed-in' ? state.user.id : undefined;
  };
  let last = userOf();
  return session.subscribe(() => {
    const next = userOf();
    if (next !== undefined && last !== undefined && next !== last) void client.resetQueries();
    last = next ?? last;
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
