import type { PublicConfig } from '@cellfolio/contract';
import type { FunctionsClient } from '@supabase/functions-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';

/**
 * The user's rows, files and functions, through the official clients. Each is loaded on first use: the public pages
 * use none of them. Every request carries the current session.
 */
export interface Backend {
  tables(): Promise<PostgrestClient>;
  files(): Promise<StorageClient>;
  functions(): Promise<FunctionsClient>;
}

interface BackendOptions {
  config: Pick<PublicConfig, 'supabaseUrl' | 'publishableKey'>;
  accessToken: () => Promise<string | null>;
  fetch?: typeof fetch;
}

export function createBackend({
  config,
  accessToken,
  fetch: send = globalThis.fetch,
}: BackendOptions): Backend {
  const asUser: typeof fetch = async (input, init) => {
    const token = (await accessToken()) ?? config.publishableKey;
    const headers = new Headers(init?.headers);
    headers.set('apikey', config.publishableKey);
    headers.set('authorization', `Bearer ${token}`);
    return send(input, { ...init, headers });
  };
  const address = (path: string) => `${config.supabaseUrl}${path}`;
  return {
    tables: once(async () => {
      const { PostgrestClient } = await import('@supabase/postgrest-js');
      // Failed queries are not retried: the page shows the error and offers a retry.
      return new PostgrestClient(address('/rest/v1'), { fetch: asUser, retry: false });
    }),
    files: once(async () => {
      const { StorageClient } = await import('@supabase/storage-js');
      return new StorageClient(address('/storage/v1'), {}, asUser);
    }),
    functions: once(async () => {
      const { FunctionsClient } = await import('@supabase/functions-js');
      return new FunctionsClient(address('/functions/v1'), { customFetch: asUser });
    }),
  };
}

/** Loads on the first call; a failed load is retried by the next call. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}
