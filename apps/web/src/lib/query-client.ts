import { QueryClient } from '@tanstack/react-query';

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
