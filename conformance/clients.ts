import { createClient as createCurrent } from '@supabase/supabase-js';
import { createClient as createLastForNode20 } from 'supabase-js-2-109';
import { databases } from './databases.ts';

export type Client = ReturnType<typeof createCurrent>;

export interface ClientVersion {
  version: string;
  make(url: string, key: string, more?: ClientOptions): Client;
}

interface ClientOptions {
  /** Whether links contain a session, or a code to be exchanged for one. */
  flowType?: 'implicit' | 'pkce';
}

const options = { auth: { autoRefreshToken: false, persistSession: true, detectSessionInUrl: false } };

function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

let clientCount = 0;
const withStorage = (more: ClientOptions = {}) => ({
  auth: {
    ...options.auth,
    ...more,
    storage: memoryStorage(),
    storageKey: `conformance-${(clientCount += 1)}`,
  },
});

export const clientVersions: readonly ClientVersion[] = [
  { version: '2.119.0', make: (url, key, more) => createCurrent(url, key, withStorage(more)) },
  {
    version: '2.109.0',
    // The two releases declare the same calls; only their private fields make them different types.
    make: (url, key, more) => createLastForNode20(url, key, withStorage(more)) as unknown as Client,
  },
];

/**
 * The current client on all databases, older ones only on the last: what they send does not depend on the database.
 */
export const clientsOn = <Version>(database: string, [current, ...older]: readonly Version[]): Version[] => [
  current!,
  ...(database === databases.at(-1)!.name ? older : []),
];
