import { readdir, rm } from 'node:fs/promises';
import { FileBlobStore } from '@cellfolio/bytes';
import { createUser, type Database, type StorageSettingsInput } from '@cellfolio/platform';
import { passwordCost } from '@cellfolio/platform/testing';
import { setPlan, userFileBuckets } from '@cellfolio/server';
import { type ClientVersion, clientVersions } from './clients.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';
import { scratchFolder } from './databases.ts';

export const password = 'correct horse';

type Client = ReturnType<ClientVersion['make']>;

export interface Person {
  id: string;
  email: string;
  token: string;
  client: Client;
}

export interface StorageWorld {
  server: PlatformServer;
  anon: Client;
  service: Client;
  person(tier: 'Professional' | 'Standard' | null): Promise<Person>;
  headers(person: Person): Record<string, string>;
  files(): Promise<string[]>;
  close(): Promise<void>;
}

let people = 0;

export async function storageWorld(
  database: Database,
  { make }: Pick<ClientVersion, 'make'> = clientVersions[0]!,
  settings: StorageSettingsInput = {},
): Promise<StorageWorld> {
  const folder = await scratchFolder();
  const blobs = new FileBlobStore(folder);
  const server = await startPlatform(
    database,
    {},
    {
      storage: {
        blobs,
        buckets: userFileBuckets({ quotaBytes: 200e9, objects: 2000 }),
        settings: { sweepSeconds: 0, ...settings },
      },
    },
  );
  const { publishableKey, secretKey } = server.keys;
  return {
    server,
    anon: make(server.url, publishableKey),
    service: make(server.url, secretKey),
    person: async (tier) => {
      const email = `files${(people += 1)}.${process.pid}@example.org`;
      const { id } = await createUser(database, { email, password, confirmed: true, passwordCost });
      if (tier) await setPlan(database, email, tier);
      const client = make(server.url, publishableKey);
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      if (error) throw error;
      return { id, email, token: data.session.access_token, client };
    },
    headers: ({ token }) => ({ apikey: publishableKey, authorization: `Bearer ${token}` }),
    files: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort(),
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
