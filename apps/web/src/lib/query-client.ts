import { QueryClient } from '@tanstack/react-query';

/** Failed queries are not retried, and nothing is fetched again because the window got the focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
  });
}
