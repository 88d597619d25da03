import { QueryClient } from '@tanstack/react-query';

/**
 * Failed queries are not retried, and nothing is fetched again because the window got the focus. A call is made
 * whether or not the browser thinks that it has a network: it may be wrong, the server may be on this machine, and a
 * call that fails says so, while one that waits for a network says nothing.
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
